import { strikes } from './hands.ts';
import { promiseTest } from './promise-test.ts';

promiseTest(strikes);
