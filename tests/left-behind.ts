/** The things that test files of one process see of each other. */
import { vi } from 'vitest';

/** Built-in objects whose functions tests replace. */
const BUILT_IN = {
  console,
  JSON,
  Math,
  Date,
  Object,
  Array,
  Promise,
  performance,
  crypto,
  subtle: crypto.subtle,
  globalThis,
  'Array.prototype': Array.prototype,
  'Object.prototype': Object.prototype,
};

/** The names that a library keeps for all of its copies, and vitest for itself. */
const OF_LIBRARIES = /^__|^vitest/;

/** A listener to these hides a neighbour's fault. */
const FAULT_EVENTS = ['uncaughtException', 'unhandledRejection', 'warning', 'SIGINT', 'SIGTERM'];

/** Everything that a neighbour would stumble over, by name. */
export type Shared = ReadonlyMap<string, unknown>;

export function lookAtShared(): Shared {
  return new Map<string, unknown>([
    ...Object.entries(BUILT_IN).flatMap(([name, object]) => propertiesOf(name, object)),
    ...Object.entries(process.env).map(([name, value]): [string, unknown] => [`process.env.${name}`, value]),
    ...FAULT_EVENTS.map((name): [string, unknown] => [`process.on ${name}`, process.listenerCount(name)]),
    ['the working directory', process.cwd()],
    ['fake timers', vi.isFakeTimers()],
  ]);
}

/** Names of what is not as it was. */
export function changedBetween(before: Shared, after: Shared): string[] {
  const names = new Set([...before.keys(), ...after.keys()]);
  return [...names].filter((name) => !Object.is(before.get(name), after.get(name)));
}

/** Read, not looked at: the engine makes some of its own when they are first asked for. */
function propertiesOf(name: string, object: object): [string, unknown][] {
  return Object.getOwnPropertyNames(object)
    .filter((key) => !OF_LIBRARIES.test(key))
    .map((key) => [`${name}.${key}`, Reflect.get(object, key)]);
}
