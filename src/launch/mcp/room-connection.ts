import { setTimeout as sleep } from 'node:timers/promises';
import { type ConnectCallbacks, PlatformSDKError, type PlatformSession, TimeoutError } from '../../client/index.ts';
import { withoutTokens } from '../../worker/log.ts';

/** Joins a room. The session stays open when it is left. */
export type JoinRoom = (callbacks: ConnectCallbacks, signal: AbortSignal) => Promise<PlatformSession>;

/** A place in a robot's room that is taken again after it was lost. */
export interface RoomConnection {
  /** The session; null while the room is not joined. */
  session(): PlatformSession | null;
  /** Returns why the room is not joined, and what to do, in a sentence. */
  problem(): string;
  /** Leaves the room, and releases the lease. Never rejects. */
  close(): Promise<void>;
}

const RETRY_MS = [500, 1_000, 2_000, 5_000];
const JOINING = 'The room of the robot is being joined.';
/** Reported to a participant whose identity another one uses. */
const DISPLACED = 'duplicate identity';

/** Joins a room, and joins it again whenever it is lost, until it is closed. */
export function keepRoom(join: JoinRoom): RoomConnection {
  const closing = new AbortController();
  let session: PlatformSession | null = null;
  let problem = JOINING;

  /** @returns why the room ended */
  async function once(): Promise<string> {
    let noteOver = (_reason: string): void => undefined;
    const over = new Promise<string>((resolve) => {
      noteOver = resolve;
    });
    const joined = await join({ onDisconnected: (reason) => noteOver(reason) }, closing.signal);
    if (closing.signal.aborted) noteOver('left');
    session = joined;
    const reason = await over;
    session = null;
    await joined.disconnect({ keepSession: true }).catch(() => undefined);
    return reason;
  }

  async function run(): Promise<void> {
    for (let failures = 0; !closing.signal.aborted; ) {
      try {
        const reason = await once();
        failures = 0;
        if (reason === DISPLACED) {
          problem =
            'Another program has joined the room with the same key, so this one left. Give each program a link of its own, then start these tools again.';
          return;
        }
        problem = `The room has ended (${reason}), and is being joined again.`;
      } catch (thrown) {
        problem = `${sentenceOf(thrown)} It is tried again.`;
      }
      const pauseMs = RETRY_MS[Math.min(failures, RETRY_MS.length - 1)];
      failures += 1;
      await sleep(pauseMs, undefined, { signal: closing.signal }).catch(() => undefined);
    }
  }

  const running = run();
  return {
    session: () => session,
    problem: () => problem,
    async close() {
      closing.abort();
      await session?.disconnect({ keepSession: true }).catch(() => undefined);
      await running;
    },
  };
}

/** Returns the sentence of an error. The library's own errors contain no credentials; the text of others may. */
export function sentenceOf(thrown: unknown): string {
  if (thrown instanceof PlatformSDKError || thrown instanceof TimeoutError) return thrown.message;
  return withoutTokens(thrown instanceof Error ? thrown.message : String(thrown));
}
