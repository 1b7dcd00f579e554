import { arms } from './arms.ts';
import { promiseTest } from './promise-test.ts';

promiseTest(arms);
