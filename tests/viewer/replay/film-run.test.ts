import RAPIER from '@dimforge/rapier3d-compat';
import { afterEach, expect, test } from 'vitest';
import type { TaskFile } from '../../../src/protocol/files/task-file.ts';
import { proofText, seal } from '../../../src/tasks/proof-text.ts';
import { filmRun } from '../../../src/viewer/engine/replay/film-run.ts';
import type { FilmedAction, FromReplay } from '../../../src/viewer/engine/replay/replay-messages.ts';
import { createRunStage, proofOf, type RunStage } from '../../tasks/run-stage.ts';

let stage: RunStage | null = null;
afterEach(() => {
  stage?.runtime.dispose();
  stage = null;
});

/** A run in which the robot turns for two seconds and then loads another scene. */
async function proofOfTurn() {
  stage = await createRunStage();
  const call = (name: string, input: object) =>
    stage?.call({ method: 'runtime.tools_call', payload: { name, input }, caller: 'agent' });
  call('set_velocity', { wz: 0.4, duration_s: 2 });
  for (let step = 0; step < 360; step += 1) stage.step();
  call('select_scene', { scene_id: 'hall' });
  for (let step = 0; step < 60; step += 1) stage.step();
  return proofOf(stage);
}

function film(text: string) {
  const messages: FromReplay[] = [];
  filmRun(RAPIER, text, (message) => void messages.push(message));
  const frames = messages.flatMap((message) => (message.kind === 'frames' ? message.frames : []));
  const actions = new Map<string, FilmedAction>();
  for (const message of messages)
    if (message.kind === 'frames') for (const action of message.actions) actions.set(action.record.actionId, action);
  return { messages, frames, actions: [...actions.values()], last: messages.at(-1) };
}

test('a correct proof is filmed from its first step to its last, with its places and its actions', async () => {
  const { messages, frames, actions, last } = film(proofText(await proofOfTurn()));
  expect(messages[0]).toMatchObject({ kind: 'begun', facts: { steps: 420, scene: { id: 'warehouse' }, inputCount: 2 } });
  expect(frames[0]?.step).toBe(0);
  expect(frames.at(-1)?.step).toBe(420);
  expect(frames.every(({ step }, at) => at === 0 || step > (frames[at - 1]?.step ?? 0))).toBe(true);
  expect(messages.flatMap((message) => (message.kind === 'place' ? [[message.fromStep, message.place.scene_id]] : []))).toEqual([
    [0, 'warehouse'],
    [360, 'hall'],
  ]);
  expect(actions.map(({ record, fromStep, toStep }) => [record.name, record.status, fromStep, toStep])).toEqual([
    ['set_velocity', 'done', 0, expect.any(Number)],
    ['select_scene', 'done', 360, expect.any(Number)],
  ]);
  expect(last).toEqual({ kind: 'judged', judgement: { is: 'true', steps: 420 }, verdict: null, missing: [] });
});

test('a run with a forbidden event is judged with that event', async () => {
  const task: TaskFile = {
    format: 'simplesim.task/1',
    id: 'stay',
    suite: 'stay',
    title: 'Stay',
    scene: 'hall',
    instruction: { default: 'a', vague: 'a', specific: 'a' },
    goal: { kind: 'held', things: { category: 'cube' } },
    never: [{ kind: 'visited', place: { position: [0, 0], within_m: 20 } }],
    time: 'real',
    budgets: { calls: 5, simulated_s: 30 },
  };
  stage = await createRunStage({ task });
  stage.step();
  expect(film(proofText(proofOf(stage))).last).toMatchObject({
    kind: 'judged',
    verdict: { reason: 'never_happened' },
    missing: ['The robot has been within 20 m of (0.00, 0.00).'],
  });
});

test('a run whose end differs from its file is still filmed, and is judged false', async () => {
  const { sha256: _, ...proof } = await proofOfTurn();
  const { frames, last } = film(proofText(seal({ ...proof, end_hash: '0123456789abcdef' })));
  expect(frames.at(-1)?.step).toBe(420);
  expect(last).toMatchObject({ kind: 'judged', judgement: { is: 'false', atStep: 420 } });
});

test.each([
  ['nothing', ''],
  ['no JSON', 'hello'],
  ['another JSON', '{"format":"simplesim.scene/1"}'],
])('a file with %s is reported as damaged, and nothing is filmed', (_, text) => {
  const { messages } = film(text);
  expect(messages).toEqual([
    { kind: 'judged', judgement: expect.objectContaining({ is: 'damaged' }), verdict: null, missing: [] },
  ]);
});
