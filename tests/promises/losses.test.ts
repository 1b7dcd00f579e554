import { losses } from './losses.ts';
import { promiseTest } from './promise-test.ts';

promiseTest(losses);
