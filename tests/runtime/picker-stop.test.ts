import { describe, expect, it } from 'vitest';
import { PICKER } from '../../src/protocol/robots/picker.ts';
import { notStopped } from '../../src/protocol/texts/skill-texts.ts';
import { STOP_WITHIN_S } from '../../src/protocol/wire/limits.ts';
import { atPose, createTestRuntime, entity } from './test-runtime.ts';

type Call = readonly [name: string, input: unknown];

/** In each scene: a place before a cube, a pad to put it on, and a pose half a metre from the spawn. */
const SCENES = [
  { sceneId: 'hall', before: atPose(-0.6, -1, 0, { yaw_deg: 180 }), padId: 'pad_2', near: atPose(0.4, -1.5) },
  { sceneId: 'warehouse', before: entity('cube_0'), padId: 'pad_D', near: atPose(0.4, -2) },
];

/** The calls that are cancelled, and the preparation of each. */
const SWEEPS = SCENES.flatMap(({ sceneId, before, padId, near }) => {
  const pick: Call[] = [
    ['go_to', before],
    ['pick_entity', entity('cube_0')],
  ];
  const sweep = (name: string, input: unknown, earlier: Call[]) => ({ sceneId, name, input, earlier });
  return [
    sweep('go_to', near, []),
    sweep('look_at', entity(padId), []),
    sweep('pick_entity', entity('cube_0'), pick.slice(0, 1)),
    sweep('place_entity', entity(padId), [...pick, ['go_to', entity(padId)]]),
  ];
});

const EVERY_STEPS = 2;

describe('P7 the picker stands within half a second of a cancel', () => {
  it.each(SWEEPS)('seed 1, at every second step of $name in the $sceneId', async ({ sceneId, name, input, earlier }) => {
    const start = () => createTestRuntime({ seed: 1, sceneId, robotId: 'picker' });
    const first = await start();
    for (const [skill, asked] of earlier) expect(first.invoke(skill, asked)).toMatchObject({ status: 'done' });
    const kept = first.runtime.keep();
    const wrong: string[] = [];
    const t = await start();
    /** Cancels the call after some steps. @returns whether it still ran then */
    const cancelAfter = (steps: number): boolean => {
      if (kept === null || !t.runtime.restore(structuredClone(kept), t.nowMs).ok) throw new Error('the world is not kept');
      const call = t.start(name, input);
      for (let step = 0; step < steps && call.replies === 0; step += 1) t.advance();
      if (call.replies > 0) return false;
      const phase = t.read('runtime.state').runtime.active_action?.phase;
      const askedAt = t.core.world.step;
      const reply = t.finish(t.start('cancel'));
      const tookS = (t.core.world.step - askedAt) / 120;
      if (reply.status !== 'done' || tookS > STOP_WITHIN_S + 1e-9)
        wrong.push(`${steps} steps, ${phase}: ${reply.error?.message ?? reply.status} after ${tookS.toFixed(3)} s`);
      return true;
    };
    let steps = 0;
    while (cancelAfter(steps)) steps += EVERY_STEPS;
    expect(steps).toBeGreaterThan(40);
    expect(wrong).toEqual([]);
  });

  it('the picker reports a push only if there is one', () => {
    const reported = (parts: string[]) => notStopped(parts, STOP_WITHIN_S, { linearMps: 0, angularRps: 0 }, PICKER.words).message;
    expect(reported(['arms'])).toBe('The robot should stop, but still moves after 0.5 s (arm). Stop the robot again.');
    expect(reported(['base', 'arms'])).toMatch(/\(base, arm\): something pushes it\. Remove that, then stop the robot again\.$/);
  });
});
