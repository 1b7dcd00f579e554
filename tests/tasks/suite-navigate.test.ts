import { testSuite } from './suite-tests.ts';

testSuite('navigate');
