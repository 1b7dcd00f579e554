import { createApp } from '../../../src/control-service/app.ts';
import { SfuError } from '../../../src/control-service/sfu-admin.ts';
import { runtimeIdentity } from '../../../src/protocol/wire/identity.ts';
import type { RuntimeProfile } from '../../../src/protocol/wire/profile.ts';
import { type Body, createBody } from '../../../src/worker/robot/body.ts';
import { startTestService, type TestService } from '../../control-service/helpers/service.ts';
import type { Fetch } from './mcp-clients.ts';
import { checkedFetch } from './wire-check.ts';

/** A service with one robot whose session is open. */
export interface McpService {
  service: TestService;
  robotId: string;
  /** Reaches the service in this process. Reading a response fails if the protocol rejects a message in it. */
  fetch: Fetch;
}

/** Opens a session for a new robot of an emptied service. */
export async function withRobot(service: TestService): Promise<McpService> {
  await service.reset();
  const app = createApp(service.deps);
  const robotId = await newRobot(service, 'Ada');
  service.sfu.identities = [`simplesim:${robotId}`];
  const fetch = checkedFetch(async (request) => app.request(request));
  return { service, robotId, fetch: (url, init) => fetch(new Request(url, init)) };
}

export async function newRobot(service: TestService, name: string, key = service.keys[0]): Promise<string> {
  const created = await service.send('POST', '/v1/robots', { body: { name, model: 'm', type: 'virtual' }, key });
  const { id } = created.body.result;
  await service.send('POST', `/v1/robots/${id}/session`, { key });
  return id;
}

export { startTestService };

/** Longer than this, LiveKit does not wait for a reply. */
const RPC_MAX_MS = 2_500;

/** Creates a simulated robot in this process; the SFU of the service carries calls to it. @param profile its contract */
export async function simulatedRobot({ service, robotId }: McpService, profile: RuntimeProfile = 'simulator'): Promise<Body> {
  service.sfu.identities = [runtimeIdentity(profile, robotId)];
  let body: Body | undefined;
  await new Promise<void>((resolve) => {
    body = createBody(
      {
        place: { sfuUrl: '', token: '', room: 'room', robotId },
        profile,
        seed: 1,
        productVersion: '0',
        signedOnly: false,
        worldsDir: null,
      },
      ({ event }) => event === 'robot_ready' && resolve(),
      { report: () => undefined, sendWorld: () => undefined, sendJpeg: async () => undefined, nameOf: () => null },
    );
  });
  const robot = body as Body;
  let calls = 0;
  service.sfu.answer = async ({ method, payload }) => {
    calls += 1;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new SfuError('rpc_no_reply', 'No reply came.')), RPC_MAX_MS);
    });
    try {
      return await Promise.race([robot.handle({ requestId: `${calls}`, method, payload, callerIdentity: 'service' }), late]);
    } finally {
      clearTimeout(timer);
    }
  };
  return robot;
}
