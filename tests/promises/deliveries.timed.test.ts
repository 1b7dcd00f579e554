import { deliveries } from './deliveries.ts';
import { promiseTest } from './promise-test.ts';

promiseTest(deliveries);
