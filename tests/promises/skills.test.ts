import { promiseTest } from './promise-test.ts';
import { skills } from './skills.ts';

promiseTest(skills);
