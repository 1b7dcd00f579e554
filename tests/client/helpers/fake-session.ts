import { Client } from '../../../src/client/client.ts';
import { connect } from '../../../src/client/connect.ts';
import type { ConnectOptions } from '../../../src/client/connect-options.ts';
import type { PlatformSession } from '../../../src/client/session.ts';
import { fakeFetch, SESSION, type SeenRequest } from './fake-fetch.ts';
import type { FakeRoom } from './fake-room.ts';

/** A session in a room in memory. */
export async function fakeSession(
  room: FakeRoom,
  options: ConnectOptions = {},
  service: typeof globalThis.fetch | null = null,
): Promise<{ session: PlatformSession; seen: SeenRequest[]; warnings: string[] }> {
  const warnings: string[] = [];
  const logger = { debug: () => {}, warn: (line: string) => void warnings.push(line) };
  const { fetch, seen } = fakeFetch({ body: SESSION }, { status: 204 });
  const client = new Client({ apiKey: 'sk_live_test', rcsUrl: 'http://rcs.test/rcs', fetch: service ?? fetch, logger });
  const session = await connect(client, 'r1', { workerNames: [], transport: async () => room, ...options });
  return { session, seen, warnings };
}
