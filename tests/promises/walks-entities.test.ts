import { promiseTest } from './promise-test.ts';
import { walksToEntities } from './walks-entities.ts';

promiseTest(walksToEntities);
