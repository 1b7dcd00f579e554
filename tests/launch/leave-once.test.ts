import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { leaveOnce } from '../../src/launch/leave-once.ts';
import * as output from '../../src/launch/output.ts';

const CODE_AT_ONCE = 3;
let nowMs = 0;
let press: (signal?: NodeJS.Signals) => void;
let loseReader: () => void;

beforeEach(() => {
  const listeners = new Map<string | symbol, () => void>();
  vi.spyOn(process, 'on').mockImplementation((event, listener) => {
    listeners.set(event, listener as () => void);
    return process;
  });
  vi.spyOn(output, 'whenUnread').mockImplementation((leave) => {
    loseReader = leave;
  });
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
  press = (signal = 'SIGINT') => listeners.get(signal)?.();
});
afterEach(() => vi.restoreAllMocks());

function start() {
  const exit = vi.spyOn(process, 'exit').mockImplementation((() => undefined) as never);
  const leave = vi.fn(async () => {});
  return { leaving: leaveOnce(leave, CODE_AT_ONCE), leave, exit };
}

it('one Ctrl-C that arrives several times counts once', () => {
  const { leaving, leave, exit } = start();
  expect(leaving.hasBegun()).toBe(false);
  press();
  nowMs += 900;
  press('SIGTERM');
  press('SIGHUP');
  expect(leave.mock.calls).toEqual([['told']]);
  expect(leaving.hasBegun()).toBe(true);
  expect(exit).not.toHaveBeenCalled();
});

it('a second Ctrl-C ends at once', () => {
  const { leave, exit } = start();
  press();
  nowMs += 1_100;
  press();
  expect(leave).toHaveBeenCalledOnce();
  expect(exit.mock.calls).toEqual([[CODE_AT_ONCE]]);
});

it('a reader that ends at Ctrl-C, as tee does, does not count as a second Ctrl-C', () => {
  const { leave, exit } = start();
  press();
  nowMs += 5_000;
  loseReader();
  expect(leave.mock.calls).toEqual([['told']]);
  expect(exit).not.toHaveBeenCalled();
});

it('output without a reader is reported as such', () => {
  const { leave } = start();
  loseReader();
  expect(leave.mock.calls).toEqual([['unread']]);
});
