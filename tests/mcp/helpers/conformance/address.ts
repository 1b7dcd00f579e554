import { createApp } from '../../../../src/control-service/app.ts';
import { openHttpServer } from '../../../../src/launch/http-server.ts';
import { refusalOfHost } from '../../../../src/launch/known-hosts.ts';
import type { createMcpServer } from '../../../../src/mcp/server.ts';
import { simulatedRobot, startTestService, withRobot } from '../mcp-service.ts';
import { createConformanceServer } from './server.ts';

/** The service with a simulated robot, as the conformance program of the protocol tests it. */
export interface ConformanceAddress {
  /** The address of the Model Context Protocol. It needs no key. */
  url: string;
  close(): Promise<void>;
}

/**
 * Starts the control service with its own port, limits and handlers. Its servers of the protocol have the tools, resources and
 * prompts of the conformance program in addition to those of the product.
 */
export async function openConformanceAddress(
  mcpServer: typeof createMcpServer = createConformanceServer,
): Promise<ConformanceAddress> {
  const service = await startTestService();
  const place = await withRobot(service);
  const robot = await simulatedRobot(place);
  const http = await openHttpServer(0, createApp(service.deps, { mcpServer }), (request) => {
    // The program cannot send a key.
    request.rawHeaders.push('Authorization', `Bearer ${service.keys[0]}`);
    // The program ends no session. Without this, it would open more of them in a minute than the service allows.
    service.clock.advanceMs(1_000);
    return refusalOfHost(request, []);
  });
  return {
    url: `http://127.0.0.1:${http.port}/mcp`,
    async close() {
      await http.close();
      await robot.dispose();
      await service.close();
    },
  };
}
