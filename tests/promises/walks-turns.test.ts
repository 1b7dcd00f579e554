import { promiseTest } from './promise-test.ts';
import { turns } from './walks-turns.ts';

promiseTest(turns);
