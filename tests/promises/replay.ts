import RAPIER from '@dimforge/rapier3d-compat';
import { seeded } from '../oracle/chance.ts';
import { playOn } from './replay-agent.ts';
import { type CallLog, createStage, firstDifference, replayOn, type Stage } from './replay-log.ts';
import type { PromiseSuite } from './suite.ts';

const STEPS = 1_500;

/** The calls run twice from the start of a new world, and once more from a world that was used and reset. */
export const replaySuite: PromiseSuite = {
  name: 'replay',
  promises: ['P12'],
  title: 'the same seed and calls give the same hash at every step, in a new world or after reset, with or without reads',
  seeds: { smoke: 3, full: 200 },
  async run(seed) {
    await RAPIER.init();
    const failures: string[] = [];
    const random = seeded(seed);

    // Recorded in a world of its own.
    const first = createStage(RAPIER, seed);
    const story = playOn(first, seed, STEPS);
    const log: CallLog = { name: `story ${seed}`, seed, steps: STEPS, calls: story.calls };

    // Replayed in another, with an onlooker all the time.
    const watched = createStage(RAPIER, seed);
    const again = replayOn(watched, log, () => {
      if (random() < 0.05) lookAround(watched);
    });
    compare('a replay with reads and captures between', story.hashes, again.hashes);
    // Captures of the onlooker end too; all others must be as recorded.
    const [recorded, replayed] = [story.ends, again.ends].map((ends) =>
      ends.filter((end) => !end.startsWith(CAPTURE)).join(', '),
    );
    if (recorded !== replayed) failures.push(`the replay ended ${replayed}; recorded was ${recorded}`);

    // Reset in the middle of any activity; the next calls are recorded there and replayed in a new world.
    const nextSeed = (seed * 7_919) >>> 0;
    resetTo(watched, nextSeed);
    const second = playOn(watched, seed + 1_000_000, STEPS);
    const fresh = createStage(RAPIER, nextSeed);
    const freshly = replayOn(fresh, { name: `next story ${seed}`, seed: nextSeed, steps: STEPS, calls: second.calls });
    compare(`a fresh world of seed ${nextSeed} against one that was reset to it`, second.hashes, freshly.hashes);
    if (documents(watched) !== documents(fresh)) {
      failures.push(`after the same story scene_state and state differ between a fresh world and one that was reset`);
    }
    const ends = [...story.ends, ...second.ends];
    for (const stage of [first, watched, fresh]) stage.runtime.dispose();
    return {
      cases: 2 * STEPS,
      failures,
      samples: { calls: [story.calls.length + second.calls.length], done: [ends.filter((end) => end.endsWith(' done')).length] },
    };

    function compare(what: string, one: readonly string[], other: readonly string[]): void {
      const step = firstDifference(one, other);
      if (step !== null) failures.push(`${what}: the hash of step ${step} is ${other[step - 1]} instead of ${one[step - 1]}`);
    }
  },
  summary({ calls = [], done = [] }) {
    const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
    return `cases are steps; ${sum(calls)} calls, ${sum(done)} actions done`;
  },
};

const CAPTURE = 'cameras_capture';

/** All calls that only read: none of them may leave a trace. */
function lookAround(stage: Stage): void {
  const caller = 'onlooker';
  for (const method of ['state', 'scene_state', 'scene_layout', 'manifest', 'capabilities', 'tools_list', 'action']) {
    stage.call({ method: `runtime.${method}`, payload: {}, caller });
  }
  stage.call({ method: 'runtime.cameras_capture', payload: { selector: { kind: 'id', id: 'topdown' } }, caller });
  stage.runtime.renderState();
}

/** Stops running actions, then resets: `reset` is rejected while something moves. */
function resetTo(stage: Stage, seed: number): void {
  let done = false;
  const answered = (reply: unknown) => {
    done = (reply as { status: string }).status === 'done';
  };
  const call = (name: string, input: unknown, onReply?: (reply: unknown) => void) =>
    stage.call({ method: 'runtime.tools_call', payload: { name, input }, caller: 'judge' }, onReply);
  call('cancel', {});
  for (let step = 0; step < 1_200 && !done; step += 1) {
    stage.step();
    call('reset', { seed }, answered);
  }
  if (!done) throw new Error('the world could not be reset within 10 s');
}

/** Returns the documents that clients read, without wall times and actions. */
function documents({ runtime }: Stage): string {
  const { robot, timestamp } = runtime.state(0);
  const { sim, ...extra } = robot.extra;
  return JSON.stringify([
    timestamp.step,
    timestamp.sim_time_s,
    { ...robot, extra },
    sim.seed,
    runtime.sceneState(0),
    runtime.layout(),
  ]);
}
