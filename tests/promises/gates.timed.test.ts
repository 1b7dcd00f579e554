import { gates } from './gates.ts';
import { promiseTest } from './promise-test.ts';

promiseTest(gates);
