import { THING_COLOURS } from '../protocol/wire/scene.ts';
import { sizeOf, THING_SHAPE_KINDS } from '../protocol/wire/thing-shape.ts';
import * as fixtures from './fixtures.ts';
import { rigidBodyNumbers } from './rigid-body-numbers.ts';
import type { SimWorld } from './sim-world.ts';
import type { Thing, ThingCarrier } from './thing.ts';

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
  return hex(first, second);
}

/** Returns the hash of bytes by the same two streams, four at a time: enough to see that data differs from what was written. */
export function bytesHash(bytes: Uint8Array): string {
  let [first, second]: readonly number[] = OFFSETS;
  first ??= 0;
  second ??= 0;
  for (let at = 0; at < bytes.length; at += 4) {
    // There are zeros beyond the end.
    const word =
      ((bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16) | ((bytes[at + 3] ?? 0) << 24)) ^
      bytes.length;
    first = Math.imul(first ^ word, FNV_PRIME);
    first ^= first >>> 15;
    second = Math.imul(second ^ word, FNV_PRIME);
    second ^= second >>> 13;
  }
  return hex(first, second);
}

const hex = (...halves: readonly number[]): string => halves.map((half) => (half >>> 0).toString(16).padStart(8, '0')).join('');

function* numbersOf(world: SimWorld): Generator<number> {
  const { base, grasp, random } = world;
  yield world.step;
  yield* random.state;
  for (const velocity of [base.command, base.reference, base.velocity]) yield* [velocity.vx, velocity.vy, velocity.wz];
  yield* [base.pose.x, base.pose.y, base.pose.yawRad];
  yield* rigidBodyNumbers(base.rigidBody);
  yield* thingNumbers(world);
  yield* collectionNumbers(world);
  yield* fixtures.numbers(world);
  yield (grasp.palms.arePresent ? 1 : 0) + (grasp.palms.giveWay ? 2 : 0);
  yield* rigidBodyNumbers(grasp.palms.right.rigidBody);
  yield* rigidBodyNumbers(grasp.palms.left.rigidBody);
  yield* holdNumbers(world);
  yield* world.robot.numbers(world.body);
}

function* thingNumbers({ things, benchmark, scene }: SimWorld): Generator<number> {
  yield* [things.nextNumber, things.all.length, benchmark.enabled ? 1 : 0];
  for (const thing of things.all) {
    const { position: p, rotation: r } = thing;
    yield* rigidBodyNumbers(thing.rigidBody);
    yield* [p.x, p.y, p.z, r.x, r.y, r.z, r.w, thing.linearSpeedMps, thing.angularSpeedRps];
    yield* [thing.restSteps, thing.rowSlot ?? -1, CARRIERS.indexOf(thing.carrier), THING_COLOURS.indexOf(thing.colour)];
    yield scene.layout.pads.findIndex((pad) => pad.pad_id === thing.restsOnPadId);
    yield* [benchmark.alreadyThere.has(thing.entityId) ? 1 : 0, benchmark.spoiled.has(thing.entityId) ? 1 : 0];
    if (!thing.isCube) yield* traitNumbers(thing);
  }
}

/** The numbers of a thing's shape, which distinguish it from a cube. They never change, and yet two worlds that differ in them are not equal. */
function* traitNumbers({ shape, massKg, friction }: Thing): Generator<number> {
  yield* [THING_SHAPE_KINDS.indexOf(shape.kind), massKg, friction, shape.kind === 'container' ? shape.wallM : 0];
  yield* sizeOf(shape);
}

function* collectionNumbers({ collection, benchmark, scene: { layout } }: SimWorld): Generator<number> {
  yield* [collection.enabled ? 1 : 0, collection.listed.length, benchmark.spoiledAndGone];
  for (const { pad_id: padId } of layout.pads) yield collection.sinceArmed.get(padId) ?? 0;
  for (const { colour, padId, position, orientation, simTimeS } of collection.listed) {
    yield* [THING_COLOURS.indexOf(colour), layout.pads.findIndex((pad) => pad.pad_id === padId), simTimeS];
    yield* position;
    yield* orientation;
  }
}

const CARRIERS: readonly ThingCarrier[] = ['none', 'belt', 'hands'];

function* holdNumbers({ grasp: { hold }, things }: SimWorld): Generator<number> {
  if (!hold) return;
  const { anchor, target } = hold;
  yield things.all.indexOf(hold.thing);
  yield* rigidBodyNumbers(hold.carrier);
  yield* [anchor.x, anchor.y, anchor.z, target.x, target.y, target.z, target.yawRad, hold.spanM, hold.slipM];
}
