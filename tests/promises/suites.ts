import { arms } from './arms.ts';
import { busy } from './busy.ts';
import { containers } from './containers.ts';
import { deliveries } from './deliveries.ts';
import { drives } from './drives.ts';
import { evals } from './evals.ts';
import { gates } from './gates.ts';
import { hands, strikes } from './hands.ts';
import { hostile } from './hostile.ts';
import { losses } from './losses.ts';
import { motion } from './motion.ts';
import { once } from './once.ts';
import { paths } from './paths.ts';
import { rangesSuite } from './ranges.ts';
import { replaySuite } from './replay.ts';
import { skills } from './skills.ts';
import { sorting } from './sorting.ts';
import { stops } from './stops.ts';
import type { PromiseSuite } from './suite.ts';
import { swaps } from './swaps.ts';
import { tasksSuite } from './tasks.ts';
import { walks } from './walks.ts';
import { disturbedWalks } from './walks-disturbed.ts';
import { walksToEntities } from './walks-entities.ts';
import { turns } from './walks-turns.ts';

/** Suites that are proven at full size by a part of their own, `npm run lab -- proof tasks`. */
export const TASK_SUITES: readonly PromiseSuite[] = [tasksSuite, evals];

/** The suites of the proof's part `storm`. */
export const STORM_SUITES: readonly PromiseSuite[] = [
  rangesSuite,
  hands,
  hostile,
  strikes,
  paths,
  replaySuite,
  skills,
  sorting,
  deliveries,
  gates,
  stops,
  swaps,
  drives,
  losses,
  motion,
  once,
  busy,
  walks,
  disturbedWalks,
  walksToEntities,
  turns,
  // Add new ones at the end: the proof's slices are counted.
  containers,
  arms,
];

/** All seeded proofs, for `npm run lab -- storm`; `npm test` runs the same ones small, a test file each. */
export const SUITES: readonly PromiseSuite[] = [...STORM_SUITES, ...TASK_SUITES];
