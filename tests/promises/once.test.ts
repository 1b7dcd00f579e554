import { once } from './once.ts';
import { promiseTest } from './promise-test.ts';

promiseTest(once);
