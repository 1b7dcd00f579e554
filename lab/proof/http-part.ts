import { startTestService, type TestService } from '../../tests/control-service/helpers/service.ts';
import { runtimeReply } from '../../tests/fuzz/runtime-reply.ts';
import { createChance } from '../../tests/oracle/chance.ts';
import { type Operation, oddRequest, operations } from './odd-requests.ts';
import type { ProofPart, SliceOutcome } from './part.ts';

/** Requests of a slice, at one empty service with two accounts. */
const REQUESTS = { smoke: 200, nightly: 2_500, full: 10_000 } as const;
/** Robots are created up to this number; the remaining requests use them. */
const ROBOTS = 6;
const FAILURES_SHOWN = 10;
/** Part of everything that the first account writes; no other account may ever read it. */
const SECRET = 'of-the-first-account';
const ROBOT_OF_ROOM = /^robot-([\da-f-]{36})/;
const ADVANCE_MS = 250;

/** A slice is one service with its database, called in process. */
export const httpPart: ProofPart = {
  name: 'http',
  async open(size) {
    const service = await startTestService();
    const described = operations();
    return { run: (slice) => askAtVolume(service, described, slice, REQUESTS[size]), close: () => service.close() };
  },
  measured(outcomes) {
    const counts: Record<string, number> = {};
    for (const { samples = {} } of outcomes) {
      for (const [status, [count = 0]] of Object.entries(samples)) counts[status] = (counts[status] ?? 0) + count;
    }
    const sorted = Object.entries(counts).sort(([, a], [, b]) => b - a);
    return sorted.map(([status, count]) => `${status}: ${count.toLocaleString('en-GB')}`).join(', ');
  },
};

/** Sends this many requests of two accounts and without a key. */
export async function askAtVolume(
  service: TestService,
  described: readonly Operation[],
  seed: number,
  count: number,
): Promise<SliceOutcome> {
  const chance = createChance(seed);
  await service.reset();
  // Every room contains the runtime of its robot.
  const listIdentities = async (room: string) => [`simplesim:${ROBOT_OF_ROOM.exec(room)?.[1]}`];
  Object.assign(service.sfu, { listIdentities, answer: runtimeReply });
  const failures: string[] = [];
  const fail = (what: string): void => {
    if (failures.length < FAILURES_SHOWN) failures.push(what);
  };
  const statuses: Record<string, number> = {};
  const robotIds: string[] = [];
  /** Robots at even positions are the first account's. */
  async function makeRobot(place: number): Promise<void> {
    const [key, mark] = place % 2 === 0 ? [service.keys[0], SECRET] : [service.keys[1], 'of-the-other'];
    const body = { name: `robot ${mark} ${place}`, model: `model ${mark}`, type: 'virtual' };
    const created = await service.send('POST', '/v1/robots', { body, key });
    const id: unknown = created.body?.result?.id;
    if (typeof id !== 'string') throw new Error(`no robot: ${created.status} ${JSON.stringify(created.body)}`);
    robotIds[place] = id;
  }
  for (let place = 0; place < ROBOTS; place += 1) await makeRobot(place);
  for (let index = 0; index < count; index += 1) {
    const operation = chance.oneOf(described);
    const request = oddRequest(operation, robotIds, chance);
    const who = chance.weighted([
      [45, 'one'],
      [45, 'two'],
      [5, 'nobody'],
      [5, 'a wrong key'],
    ] as const);
    const key = { one: service.keys[0], two: service.keys[1], nobody: null, 'a wrong key': 'no-such-key' }[who];
    const { method, path, body, headers } = request;
    const what = (): string =>
      `request ${index}, ${method} ${path.slice(0, 120)} by ${who} with ${JSON.stringify(body)?.slice(0, 200)}`;
    service.clock.advanceMs(ADVANCE_MS);
    try {
      const answer = await service.send(method, path, { key, headers, ...(body === undefined ? {} : { body }) });
      statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
      const isDescribed = operation.statuses.has(answer.status) || method !== operation.method;
      if (answer.status === 500 || !isDescribed) fail(`${what()} was answered ${answer.status}, ${JSON.stringify(answer.body)}`);
      if (!answer.headers.get('x-request-id')) fail(`${what()} was answered without a request id`);
      if (who !== 'one' && JSON.stringify(answer.body)?.includes(SECRET))
        fail(`${what()} was answered with what the first account wrote`);
      const gone = robotIds.findIndex((id) => method === 'DELETE' && answer.status === 204 && path.endsWith(`/robots/${id}`));
      if (gone >= 0) await makeRobot(gone);
    } catch (fault) {
      fail(`${what()}: ${fault instanceof Error ? fault.message : fault}`);
    }
  }
  for (const entry of service.log) if (entry.event === 'unforeseen_error') fail(`an unforeseen error: ${JSON.stringify(entry)}`);
  const samples = Object.fromEntries(Object.entries(statuses).map(([status, times]) => [status, [times]]));
  return { done: count, failures, samples };
}
