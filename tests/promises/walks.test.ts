import { promiseTest } from './promise-test.ts';
import { walks } from './walks.ts';

promiseTest(walks);
