import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { TimeoutError } from '../../src/client/errors.ts';
import { cancelActive } from '../../src/client/internal/cancel-active.ts';
import { invokeSurely } from '../../src/client/internal/invoke.ts';
import { RoomLink } from '../../src/client/internal/room-link.ts';
import { CallFailure } from '../../src/client/internal/transport/call-failure.ts';
import { within } from '../../src/client/internal/wait.ts';
import { FakeRoom } from './helpers/fake-room.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const RUNTIME = 'simplesim:r1';
const TIMES = 50;

it.each<[string, (link: RoomLink) => Promise<unknown>]>([
  ['a read', (link) => link.read('runtime.state', {}, { timeoutMs: 1_000 })],
  ['a skill', (link) => invokeSurely(link, { skill: 'go_to', params: {}, actionId: 'a' }, { timeoutMs: 1_000 })],
  ['a cancel', (link) => cancelActive(link, null, { timeoutMs: 1_000 })],
])('%s whose time is up while the robot is away stops waiting for it', async (_name, call) => {
  const room = new FakeRoom(() => 'silence');
  const link = new RoomLink(room, 'simplesim');
  await link.join('ws://sfu', 'token', { timeoutMs: 1_000 });
  vi.spyOn(room, 'call').mockImplementation(async () => {
    await new Promise((resolve) => setTimeout(resolve, 20));
    room.present = [];
    throw new CallFailure('lost', null);
  });
  const ends = Array.from({ length: TIMES }, () => call(link).catch((error: unknown) => error));
  await vi.advanceTimersByTimeAsync(1_000);
  for (const end of await Promise.all(ends)) expect(end).toBeInstanceOf(TimeoutError);
  const looks = vi.spyOn(room, 'participants');
  room.join(RUNTIME);
  await vi.advanceTimersByTimeAsync(0);
  expect(looks).not.toHaveBeenCalled();
});

it('a wait of more than 24 days does not end at once', async () => {
  const ended = vi.fn();
  void within(new Promise(() => {}), 2 ** 31, 'late').catch(ended);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(ended).not.toHaveBeenCalled();
});
