/**
 * Loaded first by every process that a test run starts (`--require`): WebAssembly, which is the physics engine and the database, is compiled
 * once, fast. Compiling its busy functions a second time, into faster code, takes 1.3 s of processor time from a robot that lives for some
 * seconds, as much again from a database, and gains nothing before minutes have passed.
 */
require('node:v8').setFlagsFromString('--liftoff-only');
