/** The agent's calls, as the page shows them. */
import { expect, it } from 'vitest';
import { done, refused } from '../../../src/agent-tools/tool-reply.ts';
import { createCallBoard } from '../../../src/launch/mcp/call-board.ts';
import { CALLS_SHOWN_MAX, type SeenCall } from '../../../src/protocol/service/agent-watch.ts';

function board() {
  let nowMs = 1_000;
  const changes: SeenCall[] = [];
  const made = createCallBoard(
    (call) => changes.push(call),
    () => nowMs,
  );
  return { made, changes, wait: (ms: number) => (nowMs += ms) };
}

it('shows arguments in words, the state, the sentence of the reply, and the time', () => {
  const { made, changes, wait } = board();
  made.note({ kind: 'started', number: 1, tool: 'go_to', input: { to: { x: 1, y: 2.5 }, within_s: 20 } });
  expect(changes.at(-1)).toMatchObject({ asked: 'to: (x: 1, y: 2.5), within_s: 20', state: 'running', said: null, tookMs: null });
  wait(700);
  made.note({ kind: 'ended', number: 1, tool: 'go_to', reply: refused('NOT_READY', 'The robot is loading.') });
  expect(changes.at(-1)).toMatchObject({ state: 'failed', said: 'The robot is loading.', tookMs: 700, startedAtMs: 1_000 });
  made.note({ kind: 'started', number: 2, tool: 'pick', input: { id: 'cube_0' } });
  made.note({ kind: 'ended', number: 2, tool: 'pick', reply: done('It runs.', { status: 'running' }) });
  expect(made.calls.map(({ asked, state }) => [asked, state])).toEqual([
    ['to: (x: 1, y: 2.5), within_s: 20', 'failed'],
    ['id: "cube_0"', 'continues'],
  ]);
});

const PLAN = {
  steps: [
    { tool: 'go_to', input: { to: 'cube_2' } },
    { tool: 'drive', input: { vx: 0.2, seconds: 1 } },
    { tool: 'place', input: {} },
  ],
};
const stepsOf = (call: SeenCall | undefined) => call?.steps.map(({ tool, asked, state, said }) => [tool, asked, state, said]);

it('shows each step of a plan with its target and its state, while the plan runs and after its end', () => {
  const { made, changes, wait } = board();
  made.note({ kind: 'started', number: 1, tool: 'run_plan', input: PLAN });
  made.note({ kind: 'step', number: 1, step: { at: 0, reply: null } });
  expect(changes.at(-1)?.asked).toBe('');
  expect(stepsOf(changes.at(-1))).toEqual([
    ['go_to', 'cube_2', 'running', null],
    ['drive', 'vx: 0.2, seconds: 1', 'planned', null],
    ['place', '', 'planned', null],
  ]);
  made.note({ kind: 'step', number: 1, step: { at: 0, reply: done('Arrived.', { status: 'done' }) } });
  made.note({ kind: 'step', number: 1, step: { at: 1, reply: null } });
  made.note({ kind: 'ended', number: 1, tool: 'run_plan', reply: done('It runs.', { status: 'running' }) });
  expect(changes.at(-1)?.state).toBe('continues');
  wait(500);
  made.note({ kind: 'step', number: 1, step: { at: 1, reply: refused('BUSY', 'Something was in the way.') } });
  expect(changes.at(-1)).toMatchObject({ state: 'failed', tookMs: 500 });
  expect(stepsOf(changes.at(-1))).toEqual([
    ['go_to', 'cube_2', 'done', 'Arrived.'],
    ['drive', 'vx: 0.2, seconds: 1', 'failed', 'Something was in the way.'],
    ['place', '', 'planned', null],
  ]);
});

it('takes the steps of a repeated plan from the reply, and shows a refused plan as one that ran nothing', () => {
  const { made } = board();
  const steps = [{ status: 'done', said: 'Arrived.' }];
  made.note({ kind: 'started', number: 1, tool: 'run_plan', input: PLAN });
  made.note({ kind: 'ended', number: 1, tool: 'run_plan', reply: done('All steps are done.', { status: 'done', steps }) });
  made.note({ kind: 'started', number: 2, tool: 'run_plan', input: { steps: [7, { tool: 8, input: [] }] } });
  made.note({ kind: 'ended', number: 2, tool: 'run_plan', reply: refused('INVALID_INPUT', 'No step was run.') });
  expect(stepsOf(made.calls[0])?.[0]).toEqual(['go_to', 'cube_2', 'done', 'Arrived.']);
  expect(stepsOf(made.calls[1])).toEqual([
    ['', '', 'planned', null],
    ['', '[]', 'planned', null],
  ]);
});

it('bounds what a client sends, and makes invisible characters visible', () => {
  const { made } = board();
  let deep: unknown = 'end';
  for (let level = 0; level < 50; level += 1) deep = { deep };
  const inputs = [deep, 'x'.repeat(1e5), Array.from({ length: 5_000 }, () => 'long'), { text: 'a\u202eb\nc' }, null, 7];
  inputs.forEach((input, at) => {
    made.note({ kind: 'started', number: at, tool: 'a\u202e'.repeat(500), input });
  });
  for (const { asked, tool } of made.calls) {
    expect(asked.length).toBeLessThanOrEqual(310);
    expect(tool.length).toBeLessThanOrEqual(90);
    expect(`${asked}${tool}`).not.toMatch(/[\u202e\n]/);
  }
});

it('keeps only the newest calls', () => {
  const { made } = board();
  for (let number = 1; number <= CALLS_SHOWN_MAX + 20; number += 1)
    made.note({ kind: 'started', number, tool: 'stop', input: {} });
  expect(made.calls.length).toBe(CALLS_SHOWN_MAX);
  expect(made.calls[0]?.number).toBe(21);
});
