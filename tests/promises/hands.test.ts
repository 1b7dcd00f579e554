import { hands } from './hands.ts';
import { promiseTest } from './promise-test.ts';

promiseTest(hands);
