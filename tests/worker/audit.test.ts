import { expect, it } from 'vitest';
import { type Caller, unsignedCaller } from '../../src/protocol/wire/caller.ts';
import type { AcceptedAction } from '../../src/runtime/action-record.ts';
import type { LogEntry } from '../../src/worker/log.ts';
import { createAudit } from '../../src/worker/robot/audit.ts';

const HOLDER: Caller = { kind: 'holder', holder: 'operator', grantId: 'g-1', carrier: 'postman' };

function createTrail() {
  const lines: LogEntry[] = [];
  const audit = createAudit((entry) => lines.push(entry));
  const command = (caller: Caller, name: string, startedAtMs: number, actionId = `a${startedAtMs}`) => {
    const action = { kind: 'tool', input: { vx: 0.3 }, parametersKey: 'secret' } as const;
    audit.commanded({ ...action, actionId, name, caller, startedAtMs } satisfies AcceptedAction);
  };
  const cancel = (by: Caller, name: string, atMs: number, actionId = `c${atMs}`) => audit.cancelled({ actionId, name, by, atMs });
  return { lines, command, cancel };
}

it('the log names the signer with its participant and grant, and contains nothing of the payload', () => {
  const { lines, command } = createTrail();
  command(HOLDER, 'set_velocity', 0);
  expect(lines).toEqual([
    {
      level: 'info',
      event: 'robot_commanded',
      skill: 'set_velocity',
      action_id: 'a0',
      caller: 'operator',
      caller_kind: 'holder',
      carrier: 'postman',
      grant_id: 'g-1',
    },
  ]);
});

it('a stream of commands is one line in ten seconds, and each caller has its own line', () => {
  const { lines, command } = createTrail();
  for (let ms = 0; ms <= 20_000; ms += 20) {
    command(HOLDER, 'set_velocity', ms);
    if (ms === 5_000) {
      command(unsignedCaller('operator'), 'set_velocity', ms);
      command(HOLDER, 'stop', ms);
    }
  }
  expect(lines.map(({ caller_kind, skill, more_before }) => [caller_kind, skill, more_before])).toEqual([
    ['holder', 'set_velocity', undefined],
    ['participant', 'set_velocity', undefined],
    ['holder', 'stop', undefined],
    ['holder', 'set_velocity', 499],
    ['holder', 'set_velocity', 499],
  ]);
});

it('a cancel is logged as a cancel, with its caller and what it stopped', () => {
  const { lines, command, cancel } = createTrail();
  command(unsignedCaller('one'), 'set_upper_body', 0, 'poses');
  cancel(HOLDER, 'set_upper_body', 10, 'poses');
  expect(lines[1]).toEqual({
    level: 'info',
    event: 'robot_cancelled',
    skill: 'set_upper_body',
    action_id: 'poses',
    caller: 'operator',
    caller_kind: 'holder',
    carrier: 'postman',
    grant_id: 'g-1',
  });
});

it('lists each of several holders of the same name separately, by grant and participant', () => {
  const { lines, command } = createTrail();
  command(HOLDER, 'set_upper_body', 0);
  command({ ...HOLDER, grantId: 'g-2' } as Caller, 'set_upper_body', 1);
  command({ ...HOLDER, carrier: 'another' } as Caller, 'set_upper_body', 2);
  command(HOLDER, 'set_upper_body', 3);
  expect(lines.map(({ grant_id, carrier }) => [grant_id, carrier])).toEqual([
    ['g-1', 'postman'],
    ['g-2', 'postman'],
    ['g-1', 'another'],
  ]);
});

it('two callers who take the arms from each other fifty times a second, and cancel as often, produce few lines', () => {
  const { lines, command, cancel } = createTrail();
  for (let ms = 0; ms < 20_000; ms += 20) {
    command(unsignedCaller(ms % 40 === 0 ? 'one' : 'other'), 'set_upper_body', ms);
    cancel(unsignedCaller(ms % 40 === 0 ? 'one' : 'other'), 'set_upper_body', ms);
  }
  expect(lines).toHaveLength(8);
  expect(lines.slice(4).map(({ more_before }) => more_before)).toEqual([249, 249, 249, 249]);
});

it('a participant’s name cannot write log lines of its own', () => {
  const { lines, command } = createTrail();
  command(unsignedCaller('a\n12:00:00 robot stopped\u0000'), 'stop', 0);
  expect(lines[0]?.caller).toBe('a�12:00:00 robot stopped�');
});
