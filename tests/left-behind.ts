/** The side effects of a test file that other files of the same process can see. */
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

/** Names that a library keeps for all of its copies, and that vitest keeps for itself. */
const OF_LIBRARIES = /^__|^vitest/;

/** A listener for these events hides a fault of another file. */
const FAULT_EVENTS = ['uncaughtException', 'unhandledRejection', 'warning', 'SIGINT', 'SIGTERM'];

/** Returns everything that could disturb another file, by name. */
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

/** Returns the names of what has changed. */
export function changedBetween(before: Shared, after: Shared): string[] {
  const names = new Set([...before.keys(), ...after.keys()]);
  return [...names].filter((name) => !Object.is(before.get(name), after.get(name)));
}

/** Compares values, not property descriptors, because the engine creates some properties on first access. */
function propertiesOf(name: string, object: object): [string, unknown][] {
  return Object.getOwnPropertyNames(object)
    .filter((key) => !OF_LIBRARIES.test(key))
    .map((key) => [`${name}.${key}`, Reflect.get(object, key)]);
}
