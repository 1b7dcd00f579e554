import type { WorldChanged } from '../protocol/error-codes.ts';
import type { PlanarPose, Vec3 } from '../protocol/geometry.ts';
import { wrapRad } from '../protocol/geometry.ts';
import * as portable from '../protocol/portable-math.ts';
import type { BodyPart } from '../protocol/skills.ts';
import * as base from '../simulation/base.ts';
import * as head from '../simulation/body/head.ts';
import * as manipulator from '../simulation/body/manipulator.ts';
import * as cubes from '../simulation/cubes.ts';
import * as grasp from '../simulation/grasp.ts';
import * as scene from '../simulation/scene.ts';
import type { SimWorld } from '../simulation/world.ts';

/** What of the world an action may change, as it was when the action was accepted. */
export interface WorldMark {
  readonly world: SimWorld;
  readonly basePose: PlanarPose;
  /** Middle between the palms, relative to the base. */
  readonly hands: { offset: Vec3; openingM: number };
  readonly head: { yawRad: number; pitchRad: number };
  readonly heldEntityId: string | null;
  readonly cubes: ReadonlyMap<string, { position: Vec3; onBelt: boolean }>;
}

/** Below these nothing counts as changed: the noise of a standing robot and of resting cubes. */
const MOVED_M = 0.003;
const TURNED_RAD = 0.01;
/** What is in the hands breathes with them. */
const CARRIED_M = 0.01;

export function markWorld(world: SimWorld): WorldMark {
  const sources = new Set(
    scene
      .pads(world)
      .filter((pad) => pad.role === 'source')
      .map((pad) => pad.pad_id),
  );
  const grip = manipulator.grip(world.body);
  const basePose = { ...base.pose(world) };
  return {
    world,
    basePose,
    hands: { offset: inFrame(basePose, grip.centre), openingM: grip.openingM },
    head: { ...head.measured(world.body) },
    heldEntityId: grasp.heldEntityId(world),
    cubes: new Map(
      cubes
        .list(world)
        .map((cube) => [cube.entityId, { position: [...cube.position] as const, onBelt: isOnBelt(world, cube, sources) }]),
    ),
  };
}

/** A cube that the belt carries on rests on no pad meanwhile. */
const isOnBelt = (world: SimWorld, { entityId, parentPadId }: cubes.CubeView, sources: ReadonlySet<string>): boolean =>
  (parentPadId !== null && sources.has(parentPadId)) || world.cubes.byId.get(entityId)?.carrier === 'belt';

/** A world point in the frame of a base on the floor: x forward, y left, z up, metres. */
function inFrame(frame: PlanarPose, [x, y, z]: Vec3): Vec3 {
  const [cos, sin] = [portable.cos(frame.yawRad), portable.sin(frame.yawRad)];
  const [dx, dy] = [x - frame.x, y - frame.y];
  return [cos * dx + sin * dy, cos * dy - sin * dx, z];
}

const distance = (a: Vec3, b: Vec3): number => portable.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);

/**
 * Did the world change since the mark, as far as an action on these parts can have changed it? Measured: `unknown` is said only when
 * nothing but cubes on the belt moved, which the belt does by itself too.
 */
export function changedSince(before: WorldMark, world: SimWorld, parts: readonly BodyPart[]): WorldChanged {
  if (before.world !== world) return 'yes';
  const now = markWorld(world);
  if (parts.includes('head') && headMoved(before, now)) return 'yes';
  if (parts.includes('base') && baseMoved(before, now)) return 'yes';
  if (parts.includes('arms') && handsMoved(before, now)) return 'yes';
  if (!parts.includes('base') && !parts.includes('arms')) return 'no';
  if (before.heldEntityId !== now.heldEntityId) return 'yes';
  let beltMoved = false;
  for (const [entityId, then] of before.cubes) {
    const { position, onBelt } = now.cubes.get(entityId) ?? {};
    if (!position) return 'yes';
    if (distance(position, then.position) <= (entityId === now.heldEntityId ? CARRIED_M : MOVED_M)) continue;
    if (!then.onBelt || !onBelt || !isBeltsWay(then.position, position)) return 'yes';
    beltMoved = true;
  }
  return beltMoved ? 'unknown' : 'no';
}

/** The belt carries cubes along -y, level and straight. */
const isBeltsWay = (from: Vec3, to: Vec3): boolean =>
  Math.abs(to[0] - from[0]) <= MOVED_M && to[1] < from[1] && Math.abs(to[2] - from[2]) <= MOVED_M;

const headMoved = (a: WorldMark, b: WorldMark): boolean =>
  Math.abs(a.head.yawRad - b.head.yawRad) > TURNED_RAD || Math.abs(a.head.pitchRad - b.head.pitchRad) > TURNED_RAD;

const baseMoved = ({ basePose: a }: WorldMark, { basePose: b }: WorldMark): boolean =>
  portable.hypot(a.x - b.x, a.y - b.y) > MOVED_M || Math.abs(wrapRad(a.yawRad - b.yawRad)) > TURNED_RAD;

/** The hands breathe with the body; only a change of posture counts. */
const handsMoved = ({ hands: a }: WorldMark, { hands: b }: WorldMark): boolean =>
  distance(a.offset, b.offset) > 10 * MOVED_M || Math.abs(a.openingM - b.openingM) > 10 * MOVED_M;
