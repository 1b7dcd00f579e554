import { promiseTest } from './promise-test.ts';
import { disturbedWalks } from './walks-disturbed.ts';

promiseTest(disturbedWalks);
