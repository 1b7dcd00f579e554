import { promiseTest } from './promise-test.ts';
import { sorting } from './sorting.ts';

promiseTest(sorting);
