import { testSuite } from './suite-tests.ts';

testSuite('arrange');
