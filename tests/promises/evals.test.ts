import { evals } from './evals.ts';
import { promiseTest } from './promise-test.ts';

promiseTest(evals);
