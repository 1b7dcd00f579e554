import { promiseTest } from './promise-test.ts';
import { stops } from './stops.ts';

promiseTest(stops);
