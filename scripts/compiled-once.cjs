/**
 * Loaded first by short-lived processes of a test run (`--require`): V8 compiles WebAssembly, which is the physics engine and the database,
 * with its fast compiler alone. Compiling the busy functions again into faster code takes 1.3 s of processor time from a robot that lives
 * for seconds, and as much from a database. Files that simulate for minutes gain by the faster code, and do not load this.
 */
require('node:v8').setFlagsFromString('--liftoff-only');
