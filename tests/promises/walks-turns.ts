import { atPose, createTestRuntime } from '../runtime/test-runtime.ts';
import { JudgesFloor, type XY } from './paths-floor.ts';
import { Dice } from './paths-random.ts';
import type { PromiseSuite, SeedOutcome } from './suite.ts';
import { type Request, wrongsOfDone, wrongsOfRest } from './walks-judge.ts';
import { apart, type Moment, momentOf, motionOf } from './walks-trace.ts';

/** Turning on the spot to any heading, at every place of the half-metre grid where the robot can stand. */

const GRID_M = 0.5;
const CHUNKS = 24;
const STANDING_ROOM_M = 0.2001;
/** The base's middle stays in place. */
const STRAYED_M = 0.02;
const WITHIN_STEPS = 120 * 8;

async function run(seed: number): Promise<SeedOutcome> {
  const t = await createTestRuntime({ seed });
  const dice = new Dice(seed);
  const floor = new JudgesFloor(t.read('runtime.scene_layout'), []);
  const places: XY[] = [];
  for (let x = Math.ceil(floor.min.x / GRID_M); x <= floor.max.x / GRID_M; x += 1)
    for (let y = Math.ceil(floor.min.y / GRID_M); y <= floor.max.y / GRID_M; y += 1) {
      const place = { x: x * GRID_M, y: y * GRID_M };
      if (floor.nearest(place).distanceM >= STANDING_ROOM_M) places.push(place);
    }
  const outcome = { cases: 0, failures: [] as string[], samples: { seconds: [] as number[] } };
  for (const [i, { x, y }] of places.entries()) {
    if (i % CHUNKS !== (seed - 1) % CHUNKS) continue;
    const [fromDeg, yawDeg] = [dice.whole(-180, 180), dice.whole(-180, 180)];
    const start = { position: [x, y, 0], yaw_deg: fromDeg };
    if (t.invoke('select_scene', { scene_id: 'warehouse', start_pose: start }).status !== 'done')
      throw new Error(`no start at (${x}, ${y})`);
    t.advance(40);
    const call = t.start('go_to', atPose(x, y, 0, { yaw_deg: yawDeg }));
    const trace = [momentOf(t.core)];
    while (call.replies === 0 && trace.length < WITHIN_STEPS) {
      t.advance();
      trace.push(momentOf(t.core));
    }
    const last = trace.at(-1) ?? momentOf(t.core);
    const after: Moment[] = [];
    for (let step = 0; step < 60; step += 1) {
      t.advance();
      after.push(momentOf(t.core));
    }
    const request: Request = { x, y, yawDeg, toleranceM: null };
    const wrongs =
      call.reply?.status === 'done'
        ? [...wrongsOfDone(request, call.reply.result, trace, motionOf(trace)), ...wrongsOfRest(last, after)]
        : [call.reply?.error.message ?? 'no answer within 8 s'];
    const strayedM = Math.max(...trace.map((moment) => apart(moment, { x, y })));
    if (strayedM > STRAYED_M) wrongs.push(`the base strayed by ${strayedM.toFixed(3)} m`);
    outcome.cases += 1;
    outcome.samples.seconds.push(trace.length / 120);
    for (const wrong of wrongs) outcome.failures.push(`at (${x}, ${y}) from ${fromDeg}° to ${yawDeg}°: ${wrong}`);
  }
  return outcome;
}

export const turns: PromiseSuite = {
  name: 'walks-turns',
  promises: ['P1', 'P10'],
  title: 'turning on the spot at every place of a half-metre grid',
  seeds: { smoke: 2, full: CHUNKS },
  run,
  summary: ({ seconds = [] }) =>
    `${(seconds.reduce((sum, value) => sum + value, 0) / Math.max(1, seconds.length)).toFixed(1)} s on average`,
};
