import { hostile } from './hostile.ts';
import { promiseTest } from './promise-test.ts';

promiseTest(hostile);
