import type { PromiseSuite } from './suite.ts';

/** Every seeded proof there is, for `npm run storm`; `npm test` runs the same ones small, a test file each. */
export const SUITES: readonly PromiseSuite[] = [];
