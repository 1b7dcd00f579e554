import { containers } from './containers.ts';
import { promiseTest } from './promise-test.ts';

promiseTest(containers);
