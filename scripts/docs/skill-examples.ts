/**
 * Calls and their real replies: one story run on a runtime in a world of seed 1, on its own clock. The same code gives the same
 * replies.
 */
import RAPIER from '@dimforge/rapier3d-compat';
import { STEPS_PER_SECOND } from '../../src/protocol/wire/limits.ts';
import type { RuntimeProfile } from '../../src/protocol/wire/profile.ts';
import type { SceneLayout } from '../../src/protocol/wire/scene.ts';
import type { SkillName } from '../../src/protocol/wire/skills.ts';
import { createRuntime, type Runtime } from '../../src/runtime/runtime.ts';

export interface SkillExample {
  request: { name: string; input: unknown; options?: unknown };
  reply: unknown;
}

interface StoryCall {
  name: SkillName;
  input: unknown;
  options?: unknown;
  /** A call that is still running at that time. */
  during?: { name: SkillName; input: unknown; options?: unknown };
}

/** In the order of the story: examples that need full hands come after the hands are full. */
const STORY: readonly StoryCall[] = [
  { name: 'configure_benchmark', input: { benchmark: { enabled: true, seed: 7 } } },
  {
    name: 'pick_entity',
    input: { target: { kind: 'entity', entity_id: 'cube_0' } },
    options: { action_id: 'pick-1', deadline_s: 30 },
  },
  { name: 'look_at', input: { target: { kind: 'entity', entity_id: 'pad_D' } } },
  { name: 'go_to', input: { target: { kind: 'entity', entity_id: 'pad_D' } }, options: { action_id: 'walk-1' } },
  { name: 'place_entity', input: { target: { kind: 'entity', entity_id: 'pad_D' } }, options: { action_id: 'place-1' } },
  { name: 'set_head', input: { yaw: 0.5, pitch: 0.3 } },
  { name: 'set_velocity', input: { vx: -0.4, wz: 0.5, duration_s: 1.5 } },
  { name: 'set_color_mode', input: { mode: 'segmentation' } },
  { name: 'set_sim_speed', input: { speed: 2 } },
  { name: 'select_scene', input: { scene_id: 'warehouse', start_pose: { position: [-1.2, -3.6, 0], yaw_deg: 90 } } },
  {
    name: 'cancel',
    input: {},
    during: { name: 'set_velocity', input: { vx: 0.3, duration_s: 10 }, options: { action_id: 'drive-1' } },
  },
  { name: 'reset', input: { seed: 42 } },
];

const EPOCH_MS = 1_760_000_000_000;
const LONGEST_S = 120;

/** A failure of each kind: one that became an action, and one that did not. */
export interface Examples {
  bySkill: Map<string, SkillExample>;
  failed: SkillExample;
  refused: SkillExample;
  layout: SceneLayout;
}

/** Starts a runtime to call, on its own clock. */
export async function startRecording(profile: RuntimeProfile) {
  await RAPIER.init();
  let ids = 0;
  let steps = 0;
  const runtime: Runtime = createRuntime({
    rapier: RAPIER,
    seed: 1,
    productVersion: '',
    profile,
    signedControlRequired: false,
    newActionId: () => `made-by-the-runtime-${++ids}`,
    startCapture: () => {},
    onAction: () => {},
  });
  const nowMs = (): number => EPOCH_MS + (steps * 1000) / STEPS_PER_SECOND;
  const send = (request: SkillExample['request'], onReply: (text: string) => void): void => {
    const payload = JSON.stringify(request);
    runtime.handle({ requestId: '', method: 'runtime.tools_call', payload, callerIdentity: 'agent', nowMs: nowMs() }, onReply);
  };
  const stepWhile = (isOn: () => boolean, longestS: number): void => {
    for (const last = steps + longestS * STEPS_PER_SECOND; isOn() && steps < last; steps += 1) runtime.step(nowMs());
  };
  const call = (request: SkillExample['request']): SkillExample => {
    let text: string | null = null;
    send(request, (answer) => {
      text = answer;
    });
    stepWhile(() => text === null, LONGEST_S);
    if (text === null) throw new Error(`${JSON.stringify(request)} does not end within ${LONGEST_S} s`);
    return { request, reply: JSON.parse(text) };
  };

  // The body of the worker must report first.
  if (profile === 'worker') stepWhile(() => true, 1 / STEPS_PER_SECOND);
  return { runtime, send, stepWhile, call, nowMs };
}

/** Runs the story. @throws if an action does not end, or fails where it should not */
export async function recordExamples(): Promise<Examples> {
  const { runtime, send, stepWhile, call } = await startRecording('simulator');
  const failed = call({ name: 'pick_entity', input: { target: { kind: 'entity', entity_id: 'cube_6' } } });
  const refused = call({ name: 'set_head', input: { yaw: 2 } });
  const bySkill = new Map<string, SkillExample>();
  for (const { during, ...request } of STORY) {
    if (during) {
      send(during, () => {});
      stepWhile(() => true, 1);
    }
    const example = call(request);
    if ((example.reply as { status: string }).status !== 'done') {
      throw new Error(`The story of the manual breaks: ${JSON.stringify(request)} is answered ${JSON.stringify(example.reply)}`);
    }
    bySkill.set(request.name, example);
  }
  const layout = runtime.layout();
  runtime.dispose();
  return { bySkill, failed, refused, layout };
}

const STANDING = { r_arm: [0.35, 0.18, 0, -0.87, 0], l_arm: [-0.35, -0.18, 0, 0.87, 0] };

/** The same for the worker profile: calls that are signed, or need no signature. */
export async function recordRcwExamples(): Promise<Pick<Examples, 'bySkill' | 'refused'>> {
  const { runtime, call } = await startRecording('worker');
  const refused = call({ name: 'set_upper_body', input: { ...STANDING, r_arm: [0.35, 0.18, 0, -0.87] } });
  const story = [
    call({ name: 'set_velocity', input: { vx: 0.3, vyaw: 0.2 } }),
    call({ name: 'stop', input: {} }),
    call({ name: 'set_upper_body', input: STANDING }),
  ];
  const state = call({ name: 'get_state', input: {} });
  const { result, ...rest } = state.reply as { result: { state: { robot: { extra: { control: unknown } } } } };
  const shown = {
    request: state.request,
    reply: { ...rest, result: { state: { robot: { extra: { control: result.state.robot.extra.control } } } } },
  };
  runtime.dispose();
  return { bySkill: new Map([...story, shown].map((example) => [example.request.name, example])), refused };
}
