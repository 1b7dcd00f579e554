import type RAPIER from '@dimforge/rapier3d-compat';

/** A clock that stands still. */
const STILL = { now: () => 0 };

const known = new WeakSet<object>();

/**
 * Gives the physics engine a clock that stands still. It reads one some 36 times a step for counters that are never read, which takes a tenth of a
 * quiet step. It has no setting for that, but takes the global clock once, when it first needs one: so that is in an empty world, with another
 * clock in its place for that call alone. Where a site has locked its globals, the engine keeps the clock that it finds.
 * @param rapier the initialised physics library
 */
export function stillClockOf(rapier: typeof RAPIER, globals: object = globalThis): void {
  if (known.has(rapier)) return;
  known.add(rapier);
  const own = Object.getOwnPropertyDescriptor(globals, 'performance');
  if (!Reflect.defineProperty(globals, 'performance', { value: STILL, configurable: true })) return;
  try {
    const empty = new rapier.World({ x: 0, y: 0, z: 0 });
    empty.step();
    empty.free();
  } finally {
    if (own) Object.defineProperty(globals, 'performance', own);
    else Reflect.deleteProperty(globals, 'performance');
  }
}
