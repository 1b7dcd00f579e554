/**
 * Loaded first by short-lived processes of a test run (`--require`): V8 compiles WebAssembly (the physics engine and the
 * database) only with its fast compiler. Recompiling busy functions into faster code takes 1.3 s of processor time from a robot
 * that lives for seconds, and as much from a database. Files that simulate for minutes benefit from the faster code, and do not
 * load this.
 */
require('node:v8').setFlagsFromString('--liftoff-only');
