import { checkStory } from './stops-story.ts';
import type { PromiseSuite } from './suite.ts';

/** Stops in every way at every moment of every skill, judged from the trajectory of the bodies. */
export const stops: PromiseSuite = {
  name: 'stops',
  promises: ['P4', 'P7', 'P8', 'P9'],
  title: 'every stop is physical, in time and reported correctly, and the robot continues',
  seeds: { smoke: 6, full: 220 },
  regressions: [
    { seed: 323, was: 'with a cube between palm and base the robot pushed itself across the floor at 4 m/s' },
    { seed: 312, was: 'what the belt itself carried counted as changed by a drive' },
    { seed: 29, was: 'a grip stopped in the moment of taking pressed on until nothing could be placed any more' },
  ],
  async run(seed) {
    const { cases, failures } = await checkStory(seed);
    const stopped = cases.filter(({ stopSteps }) => stopSteps !== null);
    const samples: Record<string, number[]> = {
      stop_steps: stopped.map(({ stopSteps }) => stopSteps ?? 0),
      reported_moving: stopped.map(({ stillMoving }) => stillMoving.length),
    };
    for (const { skill, phase } of stopped) samples[`${skill}: ${phase}`] = [...(samples[`${skill}: ${phase}`] ?? []), 1];
    return { cases: cases.length, failures, samples };
  },
  /** Nothing here holds the robot back, so nothing may still move when its time ends. */
  verdict: ({ reported_moving: moving = [] }) =>
    moving.some((parts) => parts > 0)
      ? [`${moving.filter((parts) => parts > 0).length} of ${moving.length} stops answered with something still moving`]
      : [],
  summary({ stop_steps: steps = [], reported_moving: moving = [], ...phases }) {
    const longest = Math.max(0, ...steps) / 120;
    return `${steps.length} stops in ${Object.keys(phases).length} phases of 6 skills, longest ${longest.toFixed(3)} s simulated, ${moving.filter((parts) => parts > 0).length} with something still moving`;
  },
};
