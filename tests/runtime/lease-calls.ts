import type { Reply, TestRuntime } from './test-runtime.ts';

/** Shared by tests of the lease: the calls of `runtime.control`, and their replies. */

export const METHOD = 'runtime.control';
export const driverOf = (t: TestRuntime) => t.read('runtime.state').robot.extra.driver;
export const ask = (t: TestRuntime, caller: string, action: string, more: Record<string, unknown> = {}): Reply =>
  t.send(METHOD, { action, ...more }, caller).reply;
export const head = (t: TestRuntime, caller: string): Reply => t.start('set_head', { yaw: 0 }, undefined, caller).reply;
export const refused = { status: 'failed', error: { code: 'NOT_CONTROLLER' } };
