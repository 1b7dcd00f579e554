import type RAPIER from '@dimforge/rapier3d-compat';
import * as portable from '../common/portable-math.ts';
import { CUBE_EDGE_M } from '../protocol/wire/scene.ts';
import { closestOf } from './contact.ts';
import { halfExtents, lieOf } from './extents.ts';
import { GRAVITY_MPS2 } from './gravity.ts';
import { driveCarrier, endHold, heldWidthM, measureSlip, takeHold } from './hold.ts';
import {
  areClear,
  createPalms,
  follow,
  innerSpanM,
  isNearThing,
  middleOfPalms,
  nextMotion,
  PALM_HALF_LENGTH_M,
  palmsYawRad,
  type StepMotion,
  setPresent,
  spanM,
} from './palms.ts';
import { uprightness } from './quaternion.ts';
import type { RobotBody } from './robot.ts';
import { createNearBoxes, depthInBoxesM, findNearBoxes } from './room-beside.ts';
import type { GraspState, Hold, Palm, SimWorld } from './sim-world.ts';
import type { Thing } from './thing.ts';
import { setCarrier } from './things.ts';

/** Surfaces closer than this touch. */
const TOUCHING_M = 0.001;
/** A thing whose middle is farther than this from the middle between the palms is not between them. */
const BETWEEN_M = 0.06;
/** The middle of the palms may be this far above the top of a flat thing, or below its bottom. */
const OVER_M = 0.045;
/** Palms this much nearer to each other, or farther apart, than a thing is wide do not lie on two of its faces. */
const WIDTH_SLACK_M = 0.02;
/** A cube that leans by more than ten degrees does not lie flat between two palms. */
const FLAT = 0.985;
/** A held thing that is this far from its place between the palms is lost. */
const SLIP_LIMIT_M = 0.05;
/** A thing that is this far from its place is held back by something. */
const HELD_BACK_M = 0.015;
/** The largest distance of the hands from the middle of the base. */
const HANDS_REACH_M = 0.95;
/** Hands that have lost a cube open to this, and for another thing as much more as it is wider, inner face to inner face, so that it falls instead of staying clamped without being held. */
const LOST_OPENING_M = 0.24;
/** Palms this much farther apart than when they took a thing have lost it. */
const OPENED_M = 0.015;

const _near_hands = createNearBoxes();
const _move_motion: StepMotion = { x: 0, y: 0, turnRad: 0, pivotX: 0, pivotY: 0 };

/** Creates the palms at the body's places, holding nothing. */
export function createGrasp(rapier: typeof RAPIER, physics: RAPIER.World, body: RobotBody): GraspState {
  return { palms: createPalms(rapier, physics, body), hold: null };
}

/** Returns which palms physics has in contact with exactly this thing. Both false for an unknown id. */
export function touching(world: SimWorld, entityId: string): { right: boolean; left: boolean } {
  const thing = world.things.byId.get(entityId);
  if (!thing) return { right: false, left: false };
  const { right, left } = world.grasp.palms;
  return { right: isTouching(world, right, thing), left: isTouching(world, left, thing) };
}

function isTouching({ physics }: SimWorld, palm: Palm, thing: Thing): boolean {
  const contact = closestOf(physics, palm.collider, thing.colliders);
  return contact !== null && contact.gapM < TOUCHING_M;
}

/** The thing in the hands, or null. */
export const heldEntityId = (world: SimWorld): string | null => world.grasp.hold?.thing.entityId ?? null;

/**
 * Joins a thing to the hands at its place between them.
 * @returns false, and nothing changes, unless the hands are empty, both palms touch that very thing and have it between them
 */
export function attach(world: SimWorld, entityId: string): boolean {
  const { grasp, things, rapier, physics, body } = world;
  const thing = things.byId.get(entityId);
  const touch = touching(world, entityId);
  if (!thing || grasp.hold || !touch.right || !touch.left || !liesBetween(body, thing)) return false;
  grasp.hold = takeHold(rapier, physics, body, thing);
  setCarrier(thing, 'hands');
  return true;
}

/** Returns whether the palms are on the middle of the thing's faces, and it lies flat. Held by an edge it would hang, and could not be put down. */
function liesBetween(body: RobotBody, { shape, isCube, position: { x, y, z }, rotation }: Thing): boolean {
  const middle = middleOfPalms(body);
  const upM = z - middle.z;
  const [aheadX, aheadY] = [x - middle.x, y - middle.y];
  if (isCube) return portable.hypot(aheadX, aheadY, upM) < BETWEEN_M && uprightness(rotation) > FLAT;
  // Palms take another thing at any height of it, and around the whole of it: not by one wall of a container, or by an edge.
  const halfZ = halfExtents(shape, rotation)[2];
  if (portable.hypot(aheadX, aheadY) >= BETWEEN_M || Math.abs(upM) > halfZ + OVER_M || lieOf(shape, rotation) === null)
    return false;
  return Math.abs(innerSpanM(body) - heldWidthM({ shape, rotation }, palmsYawRad(body))) < WIDTH_SLACK_M;
}

/** Opens the grip: the held thing, if there is one, is free from the next step on. */
export function release({ grasp, physics }: SimWorld): void {
  const { hold } = grasp;
  if (!hold) return;
  grasp.hold = null;
  endHold(physics, hold);
  setCarrier(hold.thing, 'none');
}

/** How far the held thing is from its place between the palms, metres; 0 with empty hands. */
export const slipM = ({ grasp }: SimWorld): number => grasp.hold?.slipM ?? 0;

/** Lets go, after a step, of a thing that the scene has pulled out of the hands or that they have opened around, and records the event. */
export function checkHold(world: SimWorld): void {
  const { hold } = world.grasp;
  if (!hold) return;
  measureSlip(hold);
  const isLost = hold.slipM > SLIP_LIMIT_M || spanM(world.body) > hold.spanM + OPENED_M || isPulledAway(world, hold);
  if (!isLost) return;
  const widerM = hold.thing.isCube ? 0 : Math.max(0, innerSpanM(world.body) - CUBE_EDGE_M);
  release(world);
  world.robot.hands.setOpening(world.body, Math.min(LOST_OPENING_M + widerM, world.robot.gripper.openingM));
  world.events.push({ type: 'dropped', entityId: hold.thing.entityId });
}

/** Returns whether what stands fixed holds a thing back and the hands meet it too: they lose the thing there, instead of moving on into it. */
function isPulledAway({ body, scene, base }: SimWorld, { slipM: slip }: Hold): boolean {
  if (slip <= HELD_BACK_M) return false;
  findNearBoxes(_near_hands, scene.layout.obstacles, base.pose.x, base.pose.y, HANDS_REACH_M);
  const yawRad = palmsYawRad(body);
  const [aheadX, aheadY] = [PALM_HALF_LENGTH_M * portable.cos(yawRad), PALM_HALF_LENGTH_M * portable.sin(yawRad)];
  const { right, left } = body.palmCentres;
  return [right, left].some(({ x, y, z }) => depthInBoxesM(_near_hands, x + aheadX, y + aheadY, z) > 0);
}

/**
 * Returns whether a thing is pressed between a palm and the base. Palms go to the body's places with any force that takes, and the
 * base carries the body: through the thing the robot would push itself across the floor.
 */
function isWedged({ physics, base, grasp, things, colliderIds }: SimWorld): boolean {
  let wedged = false;
  physics.contactPairsWith(base.collider, (other) => {
    const thing = wedged ? undefined : things.byId.get(colliderIds.get(other.handle) ?? '');
    if (!thing || !isPressed(physics, base.collider, thing)) return;
    wedged = isPressed(physics, grasp.palms.right.collider, thing) || isPressed(physics, grasp.palms.left.collider, thing);
  });
  return wedged;
}

const isPressed = (physics: SimWorld['physics'], collider: RAPIER.Collider, thing: Thing): boolean =>
  (closestOf(physics, collider, thing.colliders)?.gapM ?? TOUCHING_M) < 0;

/** Moves the palms, and the thing that they hold, along with the body for the next step. */
export function move(world: SimWorld, dtS: number): void {
  const { grasp, body, base, things } = world;
  const { palms } = grasp;
  if (palms.giveWay) palms.giveWay = !areClear(body, things.all, grasp.hold?.thing ?? null);
  else palms.giveWay = palms.arePresent && isWedged(world);
  setPresent(palms, body, !palms.giveWay && (grasp.hold !== null || isNearThing(palms, body, things.all)));
  if (!grasp.palms.arePresent) return;
  nextMotion(base, dtS, _move_motion);
  follow(grasp.palms, body, _move_motion);
  if (grasp.hold) driveCarrier(grasp.hold, body, _move_motion, dtS, GRAVITY_MPS2);
}
