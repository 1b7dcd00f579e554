import { PAGE } from '../../src/protocol/wire/caller.ts';
import { type Chance, createChance } from '../oracle/chance.ts';
import { planar } from '../oracle/truth.ts';
import { createTestRuntime, entity, type PendingCall, type Reply, type TestRuntime } from '../runtime/test-runtime.ts';
import { type Ended, judgeEnd } from './stops-judge.ts';
import { createWatch, type Sight, type Watch } from './stops-watch.ts';

/**
 * One robot's long run: skill after skill, each stopped at a random moment in a random way. Each end is judged, and each next
 * skill proves that the robot still works.
 */

export const MANNERS = [
  'by id',
  'cancel-active',
  'cancel skill',
  'page',
  'deadline',
  'zero drive',
  'other drive',
  'freeze',
] as const;
export type Manner = (typeof MANNERS)[number];

export interface Case {
  skill: string;
  manner: Manner;
  /** The phase in which it was stopped; null if it had ended before. */
  phase: string | null;
  stopSteps: number | null;
  /** The parts that still move at the answer, if nothing took over. */
  stillMoving: readonly string[];
}

export interface Story {
  cases: Case[];
  failures: string[];
}

const CASES = 9;
const WATCHED_STEPS = 120;
/** 1.5 m/s ahead and as much sideways, with a small margin for physics. */
const TOP_MPS = 2.3;
/** Longer than anything here takes. */
const PATIENCE_STEPS = 60 * 120;
const DESTINATIONS = ['pad_B', 'pad_C', 'pad_D', 'pad_E'];
const GOALS = ['pad_A', ...DESTINATIONS];

interface Doing {
  skill: string;
  input: Record<string, unknown>;
  /** How long it usually takes. */
  typicalSteps: number;
}

export async function checkStory(seed: number): Promise<Story> {
  const chance = createChance(seed);
  const t = await createTestRuntime({ seed: chance.below(1000) });
  const watch = createWatch(t);
  const story: Story = { cases: [], failures: [] };
  watch.step(30);
  for (let number = 1; number <= CASES; number += 1) {
    const doing = choose(chance, t, watch, story);
    if (!doing) break;
    oneCase(chance, t, watch, story, doing, number);
  }
  goesOn(t, watch, story);
  return story;
}

const holds = (watch: Watch): boolean => watch.now().truth.held.length > 0;

/** Calls a skill and lets it finish; a failure means a robot that is not usable. */
function undisturbed(t: TestRuntime, watch: Watch, story: Story, name: string, input: unknown): boolean {
  const call = t.start(name, input);
  watch.stepUntil(() => call.replies > 0, PATIENCE_STEPS);
  if (call.reply?.status === 'done') return true;
  // Things that a stop left on the edge of the belt may fall before the robot's feet meanwhile.
  if (hasFallen(watch, input)) return false;
  const last = story.cases.at(-1);
  const after = last ? ` after ${last.skill} stopped ${last.manner} while ${last.phase}` : '';
  story.failures.push(`${name} ${JSON.stringify(input)}${after}: ${JSON.stringify(call.reply?.error ?? 'no answer')}`);
  return false;
}

/** The next skill, with the robot moved to where it is possible. */
function choose(chance: Chance, t: TestRuntime, watch: Watch, story: Story): Doing | null {
  const skill = chance.weighted([
    [2, 'set_velocity'],
    [3, 'go_to'],
    [1, 'set_head'],
    [1.5, 'look_at'],
    [6, holds(watch) ? 'place_entity' : 'pick_entity'],
  ] as const);
  switch (skill) {
    case 'set_velocity': {
      const velocity = { vx: chance.between(-1.5, 1.5), vy: chance.between(-0.8, 0.8), wz: chance.between(-1.5, 1.5) };
      return { skill, input: { ...velocity, duration_s: chance.between(0.3, 3) }, typicalSteps: 240 };
    }
    case 'go_to':
      return { skill, input: entity(chance.oneOf(GOALS)), typicalSteps: 500 };
    case 'set_head':
      return { skill, input: { yaw: chance.between(-1.2, 1.2), pitch: chance.between(-0.4, 0.6) }, typicalSteps: 50 };
    case 'look_at':
      return { skill, input: entity(chance.oneOf([...GOALS, 'cube_3'])), typicalSteps: 120 };
    case 'place_entity':
      if (chance.happens(0.8) && !undisturbed(t, watch, story, 'go_to', entity(chance.oneOf(DESTINATIONS)))) return null;
      return { skill, input: {}, typicalSteps: 260 };
    case 'pick_entity': {
      const [id] = onBelt(watch);
      if (id === undefined || !undisturbed(t, watch, story, 'go_to', entity(id))) return null;
      return { skill, input: entity(id), typicalSteps: 260 };
    }
  }
}

/** Middles of cubes on the belt are higher than this. */
const BELT_HEIGHT_M = 0.6;

/** Whether the named cube, which was at belt height before, has left it. */
function hasFallen(watch: Watch, input: unknown): boolean {
  const { target } = input as { target?: { entity_id?: string } };
  const thing = watch.now().truth.things.get(target?.entity_id ?? '');
  return thing !== undefined && thing.joints === 0 && thing.z <= BELT_HEIGHT_M;
}

/** The cubes at belt height, the nearest to the robot first. */
function onBelt(watch: Watch): string[] {
  const { robot, things } = watch.now().truth;
  const there = [...things.values()].filter(({ z, joints, y }) => joints === 0 && z > BELT_HEIGHT_M && y < 1.9);
  return there.sort((a, b) => planar(a, robot) - planar(b, robot)).map(({ id }) => id);
}

/** How long the skill runs: sometimes not at all or a few steps, otherwise anywhere in its usual time. */
const delayOf = (chance: Chance, typicalSteps: number): number =>
  chance.weighted([
    [1, () => 0],
    [1, () => 1 + chance.below(4)],
    [10, () => 1 + chance.below(typicalSteps)],
  ] as const)();

function mannersFor({ skill }: Doing): readonly Manner[] {
  const always = MANNERS.filter((manner) => manner !== 'zero drive' && manner !== 'other drive');
  if (skill === 'set_head' || skill === 'look_at') return always;
  return skill === 'go_to' || skill === 'set_velocity' ? MANNERS : [...always, 'zero drive'];
}

function oneCase(chance: Chance, t: TestRuntime, watch: Watch, story: Story, doing: Doing, number: number): void {
  const manner = chance.oneOf(mannersFor(doing));
  const delaySteps = delayOf(chance, doing.typicalSteps);
  const id = `case-${number}`;
  const before = watch.now();
  const fromStep = before.truth.step;
  const deadlineS = Math.max(0.001, delaySteps / 120 - 1e-4);
  const call = t.start(doing.skill, doing.input, { action_id: id, ...(manner === 'deadline' ? { deadline_s: deadlineS } : {}) });
  watch.stepUntil(() => call.replies > 0, delaySteps);
  const phase = call.replies > 0 ? null : (t.core.ledger.active.get(id)?.phase ?? '?');
  const what = `${doing.skill} ${JSON.stringify(doing.input)} stopped ${manner} after ${delaySteps} steps${phase === null ? ' had ended' : ` while ${phase}`}`;
  if (phase === null && call.reply?.meta === undefined) {
    story.failures.push(`${what}: refused with ${JSON.stringify(call.reply?.error)}`);
    return;
  }
  const askedStep = watch.now().truth.step;
  const handsAstray = t.core.armsAstray;
  const stopper = phase === null ? null : stop(manner, t, id, chance);
  watch.stepUntil(() => call.replies > 0, manner === 'deadline' ? 600 : 240);
  const reply = call.reply;
  if (!reply) {
    story.failures.push(`${what}: no answer within 2 s`);
    return;
  }
  const atEnd = watch.now();
  const endStep = atEnd.truth.step;
  const stopSteps = phase === null ? null : endStep - askedStep;
  const stillMoving = manner.endsWith('drive') ? [] : (reply.error?.details?.still_moving ?? []);
  story.cases.push({ skill: doing.skill, manner, phase, stopSteps, stillMoving });
  const failures: string[] = [];
  if (phase !== null) failures.push(...judgeReply(manner, reply, id, stopper).map((text) => `${what}: ${text}`));
  // A call that takes over may move on; if it is a halt, its own answer comes when all is still.
  const takenOver = manner.endsWith('drive') && stopper !== null;
  const motionAtEnd = watch.motions.find(({ step }) => step === endStep) ?? null;
  if (takenOver) failures.push(...judgeTakeover(watch, stopper, manner).map((text) => `${what}: ${text}`));
  const seen = takenOver && manner === 'other drive' ? { after: [], motionsAfter: [] } : watchOn(watch);
  const ended: Ended = {
    what,
    skill: doing.skill,
    reply,
    before,
    atEnd,
    ...seen,
    motionAtEnd,
    stopSteps,
    steps: endStep - fromStep,
    arms: doing.skill === 'pick_entity' || doing.skill === 'place_entity' ? 'worked' : handsAstray ? 'came back' : 'swung',
    headMoved: doing.skill === 'set_head' || doing.skill === 'look_at',
  };
  failures.push(...judgeEnd(ended));
  if (stopper) {
    watch.stepUntil(() => stopper.replies > 0, 600);
    if (stopper.replies !== 1) failures.push(`${what}: the stop itself was answered ${stopper.replies} times`);
  }
  const fastest = Math.max(0, ...watch.motions.map(({ linearMps }) => linearMps));
  if (fastest > TOP_MPS) failures.push(`${what}: the base reached ${fastest.toFixed(2)} m/s`);
  if (t.core.ledger.active.size > 0) failures.push(`${what}: something still runs`);
  watch.motions.length = 0;
  story.failures.push(...failures);
}

/**
 * The call that takes over is answered when it has come to rest: a halt within 0.5 s and the 0.25 s in which it confirms this.
 */
function judgeTakeover(watch: Watch, stopper: PendingCall, manner: Manner): string[] {
  const steps = watch.stepUntil(() => stopper.replies > 0, 600);
  const found: string[] = [];
  if (stopper.reply?.status !== 'done') found.push(`the drive that took over answered ${JSON.stringify(stopper.reply)}`);
  if (manner === 'zero drive' && steps > 60 + 32) found.push(`the halt took ${steps} steps`);
  const last = watch.motions.at(-1);
  if (last && (last.linearMps >= 0.02 || last.yawRateRps >= 0.05))
    found.push(`the drive that took over answered at ${last.linearMps} m/s`);
  return found;
}

function watchOn(watch: Watch): Pick<Ended, 'after' | 'motionsAfter'> {
  const from = watch.motions.length;
  const after: Sight[] = [];
  for (let i = 0; i < WATCHED_STEPS; i += 1) {
    watch.step();
    after.push(watch.now());
  }
  return { after, motionsAfter: watch.motions.slice(from) };
}

/** Requests the stop; null if no caller waits for an answer to it. */
function stop(manner: Manner, t: TestRuntime, id: string, chance: Chance): PendingCall | null {
  switch (manner) {
    case 'by id':
      return t.send('runtime.cancel', { options: { action_id: id } }, 'other');
    case 'cancel-active':
      return t.send('runtime.cancel', { options: { action_id: 'cancel-active' } });
    case 'cancel skill':
      return t.start('cancel', {}, { action_id: `stop-${id}` });
    case 'page':
      t.runtime.cancelActive(t.nowMs, PAGE);
      return null;
    case 'deadline':
      return null;
    case 'zero drive':
      return t.start('set_velocity', {}, { action_id: `stop-${id}` });
    case 'other drive':
      return t.start('set_velocity', { vx: chance.between(-0.3, 0.3), wz: 0.3, duration_s: 0.4 }, { action_id: `stop-${id}` });
    case 'freeze':
      t.runtime.noteSuspended(3_000, t.nowMs);
      return null;
  }
}

function judgeReply(manner: Manner, reply: Reply, id: string, stopper: PendingCall | null): string[] {
  const { code, details } = reply.error ?? {};
  const reported = `answered ${reply.status} ${code ?? ''}`;
  const expected = { deadline: 'DEADLINE_EXCEEDED', freeze: 'RUNTIME_SUSPENDED' }[manner as 'deadline'] ?? 'CANCELLED';
  if (reply.status !== 'failed' || code !== expected) return [`${reported}, not ${expected}`];
  if (manner.endsWith('drive') && details.superseded_by !== `stop-${id}`) return [`superseded_by is ${details.superseded_by}`];
  const same = manner === 'by id' || manner === 'cancel-active';
  if (same && JSON.stringify(stopper?.reply) !== JSON.stringify(reply))
    return ['the cancel and the call are answered differently'];
  return [];
}

/**
 * Afterwards the robot does a whole job: a held thing goes onto a pallet, or a cube into its hands. Some may be out of reach in
 * the present layout.
 */
function goesOn(t: TestRuntime, watch: Watch, story: Story): void {
  const refusals: string[] = [];
  const tries: [skill: string, near: string, input: unknown][] = holds(watch)
    ? DESTINATIONS.map((pad) => ['place_entity', pad, {}])
    : onBelt(watch).map((id) => ['pick_entity', id, entity(id)]);
  for (const [skill, near, input] of tries) {
    if (!undisturbed(t, watch, story, 'go_to', entity(near))) return;
    const call = t.start(skill, input);
    watch.stepUntil(() => call.replies > 0, PATIENCE_STEPS);
    if (call.reply?.status === 'done') return;
    refusals.push(`${skill} at ${near}: ${call.reply?.error?.message}`);
  }
  story.failures.push(`at the end it gets nothing done: ${refusals.join(' ')}`);
}
