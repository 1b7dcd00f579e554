import { METHOD_NAMES, type MethodName } from '../../src/protocol/wire/methods.ts';
import { isRcwSkillName, RCW_SKILL_NAMES } from '../../src/protocol/wire/rcw-skills.ts';
import { isSkillName, SKILL_NAMES } from '../../src/protocol/wire/skills.ts';
import { robotTruth } from '../runtime/oracle.ts';
import { createTestRuntime, type Reply, type TestRuntime } from '../runtime/test-runtime.ts';

/** The situation before the compared call; the same on both profiles. */
export type Situation =
  | 'standing'
  | 'driving'
  | 'driving with a deadline'
  | 'brought to stand'
  | 'just gone on after a freeze'
  | 'without a report for a second'
  | 'with broken physics';

/** One call to a runtime of either profile. */
export interface Question {
  id: string;
  situation: Situation;
  method: string;
  /** JSON text, or other text. */
  payload: string;
  /** The called skill, if the call names one. */
  skill: string | null;
}

/** The outcome of a call. */
export interface Outcome {
  /** The reply before the next step; null if there is none yet. */
  atOnce: Reply | null;
  /** The reply two seconds later. */
  reply: Reply | null;
  /** By the physics, two seconds later. */
  moves: boolean;
}

/** A place where the two outcomes differ. */
export interface Found {
  question: Question;
  /** `reply.error.code` */
  path: string;
  simulator: unknown;
  worker: unknown;
  outcomes: Record<'simulator' | 'worker', Outcome>;
}

/** In words of the base that both contracts know. */
const DRIVE = { vx: 0.2 };
/** The worker drops the duration. */
const LONG_DRIVE = { ...DRIVE, duration_s: 60 };
const ARMS = { r_arm: [0.35, 0.18, 0, -0.87, 0], l_arm: [-0.35, -0.18, 0, 0.87, 0] };
const CUBE = { target: { kind: 'entity', entity_id: 'cube_0' } };

/** A valid input for each skill that takes one. */
const GOOD_INPUT: Readonly<Record<string, unknown>> = {
  set_velocity: DRIVE,
  go_to: CUBE,
  pick_entity: CUBE,
  look_at: CUBE,
  set_head: { yaw: 0.1 },
  reset: { seed: 2 },
  select_scene: { scene_id: 'warehouse' },
  set_sim_speed: { speed: 1 },
  configure_benchmark: { benchmark: {} },
  set_color_mode: { mode: 'natural' },
  set_upper_body: ARMS,
};

const SKILLS = [...new Set<string>([...SKILL_NAMES, ...RCW_SKILL_NAMES]), 'fly', '', 'toString', '__proto__'];
/** Inputs that no skill accepts, or that every skill accepts. */
const STRANGE_INPUTS = [undefined, {}, null, [], 'text', 7, true];
const STRANGE_NUMBERS = [null, '0.2', true, [], {}, 1e9, -1e9, 1e-9];
const OPTIONS = [
  {},
  null,
  [],
  'text',
  { action_id: 'a1' },
  { action_id: '' },
  { action_id: 7 },
  { action_id: 'cancel-active' },
  { action_id: 'x'.repeat(400) },
  { action_id: '__proto__' },
  { deadline_s: 60 },
  { deadline_s: 0.5 },
  { deadline_s: 0 },
  { deadline_s: -1 },
  { deadline_s: 1e9 },
  { deadline_s: '1' },
  { deadline_s: null },
  { patience: 3 },
];
/** Payloads of the other methods, valid for some of them and invalid for all. */
const PAYLOADS = [
  {},
  null,
  [],
  'text',
  7,
  { unknown: 1 },
  { action_id: 'drive' },
  { action_id: 'nobody' },
  { action_id: 7 },
  { options: {} },
  { options: { action_id: 'cancel-active' } },
  { options: { action_id: 'drive' } },
  { options: { action_id: 'nobody' } },
  { options: { action_id: '' } },
  { entity_ids: ['robot', 'cube_0'] },
  { entity_ids: 'robot' },
  { kinds: ['pad'] },
  { visible: true },
  { selector: { kind: 'id', id: 'pov' } },
  { selector: { kind: 'id', id: 'rear' } },
  { selector: { kind: 'id', id: 'pov' }, options: { width: 9 } },
  { envelope: 'AAAA' },
  { envelope: 7 },
];
const TEXTS = [
  '',
  'forward!',
  '{"name":"set_velocity","input":{"vx":NaN}}',
  '{"name":"set_velocity","input":{"vx":Infinity}}',
  '{',
];

const invoke = (name: unknown, input?: unknown, options?: unknown) => ({
  name,
  ...(input === undefined ? {} : { input }),
  ...(options === undefined ? {} : { options }),
});

/** Every call, without its situation. */
function calls(): { method: string; payload: string; skill: string | null }[] {
  const tools = [
    ...SKILLS.flatMap((name) => STRANGE_INPUTS.map((input) => invoke(name, input))),
    ...SKILLS.filter((name) => GOOD_INPUT[name] !== undefined).flatMap((name) => [
      invoke(name, GOOD_INPUT[name]),
      invoke(name, { ...(GOOD_INPUT[name] as object), colour: 'red' }),
    ]),
    ...OPTIONS.map((options) => invoke('set_velocity', DRIVE, options)),
    ...['vx', 'vy', 'vyaw', 'wz', 'duration_s'].flatMap((field) =>
      [0.3, -0.3, ...STRANGE_NUMBERS].map((number) => invoke('set_velocity', { [field]: number })),
    ),
    {},
    { name: 7 },
    { name: null },
    { ...invoke('set_velocity', DRIVE), extra: 1 },
  ];
  const others = METHOD_NAMES.filter((method) => method !== 'runtime.tools_call');
  const sent = [
    ...tools.map((payload) => ({ method: 'runtime.tools_call', payload: JSON.stringify(payload), skill: skillOf(payload) })),
    ...others.flatMap((method) => PAYLOADS.map((payload) => ({ method, payload: JSON.stringify(payload), skill: null }))),
    ...METHOD_NAMES.flatMap((method) =>
      TEXTS.map((payload) => ({
        method: method as string,
        payload,
        skill: payload.includes('set_velocity') ? 'set_velocity' : null,
      })),
    ),
    { method: 'runtime.explode', payload: '{}', skill: null },
    { method: 'toString', payload: '{}', skill: null },
  ];
  return [...new Map(sent.map((call) => [`${call.method} ${call.payload}`, call])).values()];
}

const skillOf = (payload: object): string | null => ('name' in payload && typeof payload.name === 'string' ? payload.name : null);

/**
 * The calls for every situation. The others are sent only to a robot that stands, because they are rejected before the robot
 * matters.
 */
const EVERYWHERE: readonly { method: MethodName; payload: unknown; skill: string | null }[] = [
  ...['set_velocity', 'stop', 'get_state', 'set_upper_body', 'go_to', 'cancel', 'fly'].map((skill) => ({
    method: 'runtime.tools_call' as const,
    payload: invoke(skill, GOOD_INPUT[skill] ?? {}),
    skill,
  })),
  ...[{}, { vx: 9 }, { vx: 'fast' }].map((input) => ({
    method: 'runtime.tools_call' as const,
    payload: invoke('set_velocity', input),
    skill: 'set_velocity',
  })),
  { method: 'runtime.tools_call', payload: invoke('set_velocity', LONG_DRIVE, { action_id: 'drive' }), skill: 'set_velocity' },
  { method: 'runtime.tools_call', payload: invoke('set_velocity', { vx: 0.3 }, { action_id: 'drive' }), skill: 'set_velocity' },
  ...METHOD_NAMES.filter((method) => method !== 'runtime.tools_call').map((method) => ({ method, payload: {}, skill: null })),
  { method: 'runtime.action', payload: { action_id: 'drive' }, skill: null },
  { method: 'runtime.cancel', payload: { options: { action_id: 'drive' } }, skill: null },
  { method: 'runtime.cancel', payload: { options: { action_id: 'cancel-active' } }, skill: null },
  { method: 'runtime.cameras_capture', payload: { selector: { kind: 'id', id: 'pov' } }, skill: null },
];

const SITUATIONS: readonly Situation[] = [
  'driving',
  'driving with a deadline',
  'brought to stand',
  'just gone on after a freeze',
  'without a report for a second',
  'with broken physics',
];

/** Everything that both are asked. */
export function questions(): Question[] {
  const standing = calls().map((call) => ({ ...call, situation: 'standing' as const }));
  const elsewhere = SITUATIONS.flatMap((situation) =>
    EVERYWHERE.map(({ method, payload, skill }) => ({ method, payload: JSON.stringify(payload), skill, situation })),
  );
  return [...standing, ...elsewhere].map((question) => ({
    ...question,
    id: `${question.situation}: ${question.method} ${question.payload}`,
  }));
}

/** Steps of two seconds: longer than a velocity of the simulator lasts and than a robot brakes. */
const AFTER_STEPS = 240;

const PROFILES = ['simulator', 'worker'] as const;

/** Runs both contracts, one call after another. */
export interface Pair {
  ask(question: Question): Promise<Found['outcomes']>;
}

/**
 * Each call is sent to two fresh robots, except after a call that both have rejected at once while they stood: it had no effect,
 * and no step was made.
 */
export function createPair(): Pair {
  let standing: Record<(typeof PROFILES)[number], TestRuntime> | null = null;
  return {
    async ask(question) {
      const isStanding = question.situation === 'standing';
      const runtimes = (isStanding ? standing : null) ?? {
        simulator: await createRobot('simulator', question.situation),
        worker: await createRobot('worker', question.situation),
      };
      const asked = PROFILES.map((profile) => askOne(runtimes[profile], question));
      standing = isStanding && asked.every(({ isOver }) => isOver) ? runtimes : null;
      const [simulator, worker] = asked.map(({ outcome }) => outcome) as [Outcome, Outcome];
      return { simulator, worker };
    },
  };
}

async function createRobot(profile: 'simulator' | 'worker', situation: Situation): Promise<TestRuntime> {
  const t = await createTestRuntime({ profile, signedControlRequired: false });
  t.advance(2);
  arrange(t, situation);
  return t;
}

function askOne(t: TestRuntime, { situation, method, payload }: Question): { outcome: Outcome; isOver: boolean } {
  const call = t.sendText(method, payload);
  const atOnce = call.reply;
  // A call that was rejected at once moves nothing; a broken body never moves again.
  const isOver = atOnce?.status === 'failed' && atOnce.meta === undefined && situation === 'standing';
  if (!isOver && t.core.fault === null) t.advance(AFTER_STEPS);
  const { linearMps, angularRps } = robotTruth(t.core);
  const moves = linearMps > 0.02 || angularRps > 0.05;
  return { outcome: { atOnce: inCommonText(atOnce), reply: inCommonText(call.reply), moves }, isOver };
}

/** The velocity in a reply, under one name on both: the words differ, the velocity itself must not. */
function inCommonText(reply: Reply | null): Reply | null {
  const reported = reply?.result?.applied ?? reply?.result?.command;
  if (reported === undefined) return reply;
  const { vx, vy, wz, vyaw } = reported;
  return { ...reply, velocity: { vx, vy, turn: wz ?? vyaw } };
}

function arrange(t: TestRuntime, situation: Situation): void {
  if (situation === 'standing') return;
  t.start('set_velocity', LONG_DRIVE, {
    action_id: 'drive',
    ...(situation === 'driving with a deadline' ? { deadline_s: 1.5 } : {}),
  });
  t.advance(60);
  if (situation === 'driving' || situation === 'driving with a deadline') return;
  t.start('set_velocity', {}, { action_id: 'stand' });
  t.advance(120);
  if (situation === 'just gone on after a freeze') t.runtime.noteSuspended(3_000, t.nowMs);
  if (situation === 'without a report for a second') t.nowMs += 1_000;
  if (situation === 'with broken physics') {
    const { physics } = t.core.world;
    physics.physicsPipeline.raw.step = () => {
      throw new Error('broken');
    };
    t.advance(1);
  }
}

/** Every place where two outcomes differ, field by field. */
export function compare(question: Question, outcomes: Found['outcomes']): Found[] {
  return differingPaths(outcomes.simulator, outcomes.worker).map(([path, simulator, worker]) => ({
    question,
    path,
    simulator,
    worker,
    outcomes,
  }));
}

function differingPaths(one: unknown, other: unknown, path = ''): [path: string, one: unknown, other: unknown][] {
  if (Object.is(one, other)) return [];
  if (isObject(one) && isObject(other) && Array.isArray(one) === Array.isArray(other)) {
    const names = [...new Set([...Object.keys(one), ...Object.keys(other)])];
    return names.flatMap((name) => differingPaths(one[name], other[name], path === '' ? name : `${path}.${name}`));
  }
  return [[path, one, other]];
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

export const isOfNone = (skill: string | null): boolean => skill !== null && !isSkillName(skill) && !isRcwSkillName(skill);
export const isOfOne = (skill: string | null): boolean => skill !== null && isSkillName(skill) !== isRcwSkillName(skill);
