import * as portable from '../common/portable-math.ts';
import type { WorldChanged } from '../protocol/wire/error-codes.ts';
import type { PlanarPose, Vec3 } from '../protocol/wire/geometry.ts';
import { wrapRad } from '../protocol/wire/geometry.ts';
import type { BodyPart } from '../protocol/wire/skills.ts';
import * as base from '../simulation/base.ts';
import * as fixtures from '../simulation/fixtures.ts';
import * as grasp from '../simulation/grasp.ts';
import type { Fixture, SimWorld } from '../simulation/sim-world.ts';

/** The parts of the world that an action may change, as they were when the action was accepted. */
export interface WorldSnapshot {
  readonly world: SimWorld;
  readonly basePose: PlanarPose;
  /** Middle between the palms, relative to the base. */
  readonly hands: { offset: Vec3; openingM: number };
  readonly head: { yawRad: number; pitchRad: number };
  readonly heldEntityId: string | null;
  /** By thing: its place, and the fixture that carries it. */
  readonly things: ReadonlyMap<string, { position: Vec3; carriedBy: Fixture | null }>;
}

/** Smaller changes do not count: they are the noise of a standing robot and of resting things. */
const MOVED_M = 0.003;
const TURNED_RAD = 0.01;
/** A thing in the hands sways with them. */
const CARRIED_M = 0.01;

/** Returns a snapshot of the current world, for a later comparison. */
export function snapshotWorld(world: SimWorld): WorldSnapshot {
  const grip = world.robot.hands.grip(world.body);
  const basePose = { ...base.pose(world) };
  return {
    world,
    basePose,
    hands: { offset: inFrame(basePose, grip.centre), openingM: grip.openingM },
    head: { ...world.robot.head.measured(world.body) },
    heldEntityId: grasp.heldEntityId(world),
    things: new Map(
      world.things.all.map((thing) => {
        const { x, y, z } = thing.position;
        return [thing.entityId, { position: [x, y, z], carriedBy: fixtures.carrierOf(world, thing) }];
      }),
    ),
  };
}

/** Returns a world point in the frame of a base on the floor: x forward, y left, z up, metres. */
function inFrame(frame: PlanarPose, [x, y, z]: Vec3): Vec3 {
  const [cos, sin] = [portable.cos(frame.yawRad), portable.sin(frame.yawRad)];
  const [dx, dy] = [x - frame.x, y - frame.y];
  return [cos * dx + sin * dy, cos * dy - sin * dx, z];
}

const distance = (a: Vec3, b: Vec3): number => portable.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);

/**
 * Returns whether the world has changed since the snapshot, as far as an action on these parts can have changed it. Measured;
 * `unknown` only when nothing but things on a fixture moved, because the fixture also moves them without the action.
 */
export function changedSince(before: WorldSnapshot, world: SimWorld, parts: readonly BodyPart[]): WorldChanged {
  if (before.world !== world) return 'yes';
  const now = snapshotWorld(world);
  if (parts.includes('head') && headMoved(before, now)) return 'yes';
  if (parts.includes('base') && baseMoved(before, now)) return 'yes';
  if (parts.includes('arms') && handsMoved(before, now)) return 'yes';
  if (!parts.includes('base') && !parts.includes('arms')) return 'no';
  if (before.heldEntityId !== now.heldEntityId) return 'yes';
  let fixtureMoved = false;
  for (const [entityId, then] of before.things) {
    const { position, carriedBy } = now.things.get(entityId) ?? {};
    if (!position) return 'yes';
    if (distance(position, then.position) <= (entityId === now.heldEntityId ? CARRIED_M : MOVED_M)) continue;
    if (!carriedBy || carriedBy !== then.carriedBy || !fixtures.explains(carriedBy, then.position, position, MOVED_M))
      return 'yes';
    fixtureMoved = true;
  }
  return fixtureMoved ? 'unknown' : 'no';
}

const headMoved = (a: WorldSnapshot, b: WorldSnapshot): boolean =>
  Math.abs(a.head.yawRad - b.head.yawRad) > TURNED_RAD || Math.abs(a.head.pitchRad - b.head.pitchRad) > TURNED_RAD;

const baseMoved = ({ basePose: a }: WorldSnapshot, { basePose: b }: WorldSnapshot): boolean =>
  portable.hypot(a.x - b.x, a.y - b.y) > MOVED_M || Math.abs(wrapRad(a.yawRad - b.yawRad)) > TURNED_RAD;

/** Returns whether the hands moved. They sway with the body, so only a change of posture counts. */
const handsMoved = ({ hands: a }: WorldSnapshot, { hands: b }: WorldSnapshot): boolean =>
  distance(a.offset, b.offset) > 10 * MOVED_M || Math.abs(a.openingM - b.openingM) > 10 * MOVED_M;
