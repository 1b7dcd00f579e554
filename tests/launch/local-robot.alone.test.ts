import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { findCaller } from '../../src/control-service/accounts.ts';
import type { Caller } from '../../src/control-service/caller.ts';
import { SfuError } from '../../src/control-service/sfu-admin.ts';
import { openRobot } from '../../src/launch/local-robot.ts';
import { startTestService, type TestService } from '../control-service/helpers/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
}, 300_000);
beforeEach(() => service.reset());
afterAll(() => service.close());

const callerOf = async () => (await findCaller(service.deps.db, service.deps.clock.nowMs(), service.keys[0])) as Caller;
const isOpen = async (robotId: string) => (await service.send('GET', `/v1/robots/${robotId}`)).status === 200;

it('an SFU that is too slow for the first call does not end a start', async () => {
  const makeRoom = vi.spyOn(service.sfu, 'ensureRoom');
  makeRoom.mockRejectedValueOnce(new SfuError('unreachable', 'The SFU does not answer.'));
  const robotId = await openRobot(service.deps, await callerOf(), null);
  expect(makeRoom).toHaveBeenCalledTimes(2);
  expect(service.sfu.rooms.size).toBe(1);
  expect(await isOpen(robotId)).toBe(true);
  makeRoom.mockRestore();
});
