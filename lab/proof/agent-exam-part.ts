import type { TaskFile } from '../../src/protocol/files/task-file.ts';
import { taskOf, tasksOnDisk } from '../../tests/tasks/task-files.ts';
import { factsOf, openStdioPair } from '../agents/stdio-pair.ts';
import { agentOver, during } from '../agents/stepped-robot.ts';
import { createTaskRobot } from '../agents/task-robot.ts';
import { type ProofPart, type SliceOutcome, valuesOf } from './part.ts';

/** The words of the judge and the fields of a task file; none of them may reach an agent. */
const HIDDEN =
  /\b(goal|score|fault|predicate|verdict|oracle|subgoal)s?\b|"(given|never|budgets|credit|share|instruction|suite)":/i;
/** A walk may take this long. */
const WITHIN_S = 20;

export const agentExamPart: ProofPart = {
  name: 'agent-exam',
  open: async () => ({ run: (slice) => examine(slice), close: async () => undefined }),
  measured(outcomes) {
    const bytes = valuesOf(outcomes, 'samples', 'bytes').reduce((total, one) => total + one, 0);
    return `${outcomes.length} tasks, ${bytes.toLocaleString('en-GB')} bytes, twice`;
  },
};

async function examine(slice: number): Promise<SliceOutcome> {
  const onDisk = tasksOnDisk[(slice - 1) % tasksOnDisk.length];
  if (onDisk === undefined) throw new RangeError('There are no tasks.');
  const task = taskOf(onDisk);
  const [own, other] = [await transcript(task, slice), await transcript(withOtherJudge(task), slice)];
  const failures = [...own.problems];
  const differs = own.texts.findIndex((text, at) => text !== other.texts[at]);
  if (differs >= 0 || own.texts.length !== other.texts.length)
    failures.push(
      `the bytes depend on the judge: ${own.texts[differs]?.slice(0, 300)} and ${other.texts[differs]?.slice(0, 300)}`,
    );
  const instruction = task.instruction.default;
  for (const text of own.texts) {
    // The instruction is shown on purpose, and any person may write any word in it.
    const rest = text.replaceAll(JSON.stringify(instruction).slice(1, -1), '').replaceAll(instruction, '');
    const found = HIDDEN.exec(rest)?.[0] ?? [task.id, task.title].find((name) => rest.includes(name));
    if (found !== undefined)
      failures.push(`the bytes contain ${found}: ${rest.slice(Math.max(0, rest.indexOf(found) - 100)).slice(0, 300)}`);
  }
  return {
    done: 1,
    cases: own.texts.length,
    failures: failures.map((failure) => `${onDisk.name}: ${failure}`),
    samples: { bytes: [own.texts.reduce((total, text) => total + text.length, 0)] },
  };
}

/** The same task for the agent: same world, instruction and faults, and another judge. */
const withOtherJudge = (task: TaskFile): TaskFile => ({
  ...task,
  id: 'another-task',
  title: 'Another title',
  goal: {
    kind: 'all',
    of: [
      { kind: 'held', things: { category: 'cube', colour: 'blue' } },
      { kind: 'upright', things: {} },
    ],
  },
  never: [],
  subgoals: [],
  budgets: { calls: 1, simulated_s: 1 },
});

interface Transcript {
  texts: string[];
  problems: readonly string[];
}

/** Makes the calls of an examined agent, and returns all bytes that it received. */
async function transcript(task: TaskFile, seed: number): Promise<Transcript> {
  const { robot } = await createTaskRobot(task, seed);
  const place = { isExam: true, instruction: task.instruction.default, clock: clockOf(task) };
  const pair = openStdioPair(agentOver(robot, place));
  const texts: string[] = [];
  const problems: string[] = [];
  pair.watch.onText = (text) => texts.push(text.replaceAll(/own-\d+/g, 'own'));
  const ask = async (method: string, params: object): Promise<Record<string, unknown>> => {
    const reply = await during(robot, pair.request(method, params).reply);
    if (reply === null) problems.push(`no reply to ${method} ${JSON.stringify(params)}`);
    return reply ?? {};
  };
  const use = async (name: string, input: object): Promise<Record<string, unknown>> =>
    factsOf(await ask('tools/call', { name, arguments: input, _meta: { progressToken: `${name} ${texts.length}` } }));

  await pair.open();
  await ask('tools/list', {});
  await ask('resources/list', {});
  await use('robot_status', {});
  const entities = (await use('get_scene', { limit: 40 })).entities as { id: string; kind: string }[];
  const thing = entities.find(({ kind }) => kind === 'cube' || kind === 'object')?.id ?? 'cube';
  const pad = (await use('get_scene', { kind: 'pad' })).entities as { id: string }[];
  await use('get_scene', { ids: [thing, 'nothing'], near: thing });
  await use('go_to', { to: thing, within_s: WITHIN_S });
  await use('pick', { id: thing });
  await use('robot_status', {});
  await use('place', {});
  await use('go_to', { to: pad[0]?.id ?? thing, within_s: WITHIN_S });
  await use('place', pad[0] === undefined ? {} : { on: pad[0].id });
  await use('run_plan', {
    steps: [
      { tool: 'drive', input: { vx: 0.3, seconds: 1 } },
      { tool: 'pick', input: { id: 'nothing' } },
    ],
  });
  await use('look_at', { id: thing });
  await use('drive', { wz: 0.5, seconds: 'long' });
  await use('start_over', {});
  await use('start_over', { task: 'hall-hold-blue' });
  for (const skill of ['reset', 'get_state', 'set_speed', 'select_scene', 'set_color_mode'])
    await use('use_skill', { skill, input: {} });
  await use('take_picture', {});
  await use('control', { do: 'take' });
  await use('control', { do: 'release' });
  await use('stop', {});
  await use('wait', { for_s: 2 });
  await use('wait', { action_id: 'nothing' });
  await use('fly', {});
  for (const uri of ['robot://status', 'robot://scene', 'robot://timeline', 'robot://goal']) await ask('resources/read', { uri });
  await pair.close();
  robot.dispose();
  return { texts: texts.filter((text) => !text.includes('robot://goal')), problems: [...problems, ...pair.watch.problems] };
}

const clockOf = ({ time }: TaskFile): 'action' | 'real' => (time === 'on_action' ? 'action' : 'real');
