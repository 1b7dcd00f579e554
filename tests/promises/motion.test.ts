import { motion } from './motion.ts';
import { promiseTest } from './promise-test.ts';

promiseTest(motion);
