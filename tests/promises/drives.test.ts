import { drives } from './drives.ts';
import { promiseTest } from './promise-test.ts';

promiseTest(drives);
