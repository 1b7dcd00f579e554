import type { Agent } from '../../agent-tools/agent.ts';
import { productVersion } from '../../headless/product-version.ts';
import { serveOverStdio } from '../../mcp/stdio.ts';
import { EXIT } from '../exit-codes.ts';
import { leaveOnce } from '../leave-once.ts';
import { printError, printTrouble } from '../output.ts';

export interface StdioAgent {
  agent: Agent;
  /** Receives the name of the client. */
  onClient(name: string): void;
  /** Ends everything else in this order, after the actions of the agent. One that fails does not keep the others from ending. */
  ends: readonly (() => unknown)[];
  /** The longest time for all of that, milliseconds. @default no limit */
  leaveMaxMs?: number;
}

/** About 80 pictures. */
const UNREAD_MAX_BYTES = 16 * 1024 * 1024;
const NOT_READ = 'The client sends calls, but does not read the replies. The robot stops. Start the client again.';

/** Serves the tools on standard input and output until the input ends. Then the robot stops before the process exits. */
export function serveStdioAgent({ agent, onClient, ends, leaveMaxMs }: StdioAgent): void {
  const closeConnection = serveOverStdio(agent, { version: productVersion(), onClient }, printError);
  let isLeaving = false;

  async function leave(good: number): Promise<void> {
    if (isLeaving) return;
    isLeaving = true;
    if (leaveMaxMs !== undefined) setTimeout(() => process.exit(EXIT.couldNotRun), leaveMaxMs);
    let code = good;
    for (const end of [() => agent.end(), ...ends, closeConnection]) {
      try {
        await end();
      } catch (thrown) {
        printTrouble(thrown);
        code = EXIT.couldNotRun;
      }
    }
    process.exit(code);
  }

  leaveOnce(() => leave(EXIT.good), EXIT.couldNotRun);
  // Each reply waits for its own turn at the output.
  process.stdout.setMaxListeners(0);
  process.stdin.on('data', () => {
    if (isLeaving || process.stdout.writableLength <= UNREAD_MAX_BYTES) return;
    printError(NOT_READ);
    void leave(EXIT.couldNotRun);
  });
  for (const event of ['end', 'close']) process.stdin.once(event, () => void leave(EXIT.good));
}
