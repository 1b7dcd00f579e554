import { busy } from './busy.ts';
import { promiseTest } from './promise-test.ts';

promiseTest(busy);
