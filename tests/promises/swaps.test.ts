import { promiseTest } from './promise-test.ts';
import { swaps } from './swaps.ts';

promiseTest(swaps);
