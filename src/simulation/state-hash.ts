import { serialise } from './body/body.ts';
import type { SimWorld } from './world.ts';

/**
 * Takes in numbers bit by bit: two FNV-1a streams of 32 bits with different offsets, over the 32-bit halves of each
 * Float64 (http://www.isthe.com/chongo/tech/comp/fnv/), so that worlds differ in the hash when they differ in any bit.
 */
const FNV_PRIME = 0x01000193;
const OFFSETS = [0x811c9dc5, 0x050c5d1f] as const;

const _bits_float = new Float64Array(1);
const _bits_words = new Uint32Array(_bits_float.buffer);

/** Hash of everything in the world that changes, 16 hexadecimal digits. Equal worlds have equal hashes, in every engine. */
export function stateHash(world: SimWorld): string {
  let [first, second]: readonly number[] = OFFSETS;
  first ??= 0;
  second ??= 0;
  for (const value of numbersOf(world)) {
    _bits_float[0] = value;
    for (const word of _bits_words) {
      first = Math.imul(first ^ word, FNV_PRIME);
      first ^= first >>> 15;
      second = Math.imul(second ^ word, FNV_PRIME);
      second ^= second >>> 13;
    }
  }
  return [first, second].map((half) => (half >>> 0).toString(16).padStart(8, '0')).join('');
}

function* numbersOf(world: SimWorld): Generator<number> {
  const { base, cubes, conveyor, grasp, random, benchmark } = world;
  yield world.step;
  yield* random.state;
  for (const velocity of [base.command, base.reference, base.velocity]) yield* [velocity.vx, velocity.vy, velocity.wz];
  yield* [base.pose.x, base.pose.y, base.pose.yawRad];
  yield* rigidBodyNumbers(base.rigidBody);
  for (const cube of cubes.all) {
    yield* rigidBodyNumbers(cube.rigidBody);
    yield* [cube.restSteps, cube.rowSlot ?? -1, ['none', 'belt', 'hands'].indexOf(cube.carrier), cube.colour.charCodeAt(0)];
  }
  yield* [cubes.nextNumber, conveyor.speedMps, conveyor.travelM, conveyor.row.length];
  yield grasp.palms.arePresent ? 1 : 0;
  if (grasp.hold) {
    yield cubes.all.indexOf(grasp.hold.cube);
    yield* rigidBodyNumbers(grasp.hold.carrier);
  }
  yield* [benchmark.enabled ? 1 : 0, benchmark.alreadyThere.size, benchmark.spoiled.size];
  yield* serialise(world.body);
}

function* rigidBodyNumbers(rigidBody: SimWorld['base']['rigidBody']): Generator<number> {
  const [p, r, v, w] = [rigidBody.translation(), rigidBody.rotation(), rigidBody.linvel(), rigidBody.angvel()];
  yield* [p.x, p.y, p.z, r.x, r.y, r.z, r.w, v.x, v.y, v.z, w.x, w.y, w.z, rigidBody.isSleeping() ? 1 : 0];
}
