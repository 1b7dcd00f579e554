import { paths } from './paths.ts';
import { promiseTest } from './promise-test.ts';

promiseTest(paths);
