import * as portable from '../common/portable-math.ts';
import type { Fault } from '../protocol/files/task-file.ts';
import { STEPS_PER_SECOND } from '../protocol/wire/limits.ts';
import type { RuntimeCore } from '../runtime/core.ts';
import { middleOfPalms } from '../simulation/palms.ts';
import { createRandom, nextInt, type Random } from '../simulation/random.ts';
import type { Thing } from '../simulation/thing.ts';
import { createThing } from '../simulation/thing-bodies.ts';
import { noteRest } from '../simulation/things.ts';

/**
 * Faults in the world of a run: the task names them, and the seed of the run draws their times. A fault is a push between two
 * steps, so it is an accident for the skills, and happens at the same step in a re-simulation.
 */
export interface WorldFaults {
  beforeStep(): void;
}

/** Mixed into the seed, so that faults do not follow the colours. */
const FAULTS_STREAM = 0x51f15e5d;
/** A pushed thing slides by some 8 cm on its friction. */
const PUSH_MPS = 1.2;
/** A thing that slips out of the hands leaves them downwards this fast. */
const SLIP_MPS = 2;
/** It has slipped out by then, or is held too well. */
const SLIP_STEPS = STEPS_PER_SECOND / 4;

/** Returns a generator for the faults of one kind and place in the task. */
export const faultRandom = (seed: number, at: number): Random => createRandom((seed ^ FAULTS_STREAM) + at * 7_919);

/**
 * Draws which of the first occasions are struck.
 * @param among out of how many; a task that offers fewer is struck less often
 */
export function drawOccasions(random: Random, times: number, among: number): ReadonlySet<number> {
  const struck = new Set<number>();
  while (struck.size < Math.min(times, among)) struck.add(1 + nextInt(random, among));
  return struck;
}

/** Makes the faults that happen in the world. @param seed decides when each comes */
export function createWorldFaults(faults: readonly Fault[], seed: number, core: RuntimeCore): WorldFaults {
  const parts = faults.map((fault, at) => worldFault(fault, at, faultRandom(seed, at), core));
  return {
    beforeStep() {
      if (core.fault !== null) return;
      for (const part of parts) part?.beforeStep();
    },
  };
}

function worldFault(fault: Fault, at: number, random: Random, core: RuntimeCore): WorldFaults | null {
  switch (fault.kind) {
    case 'grasp_misses':
      return graspMisses(drawOccasions(random, fault.times ?? 1, (fault.times ?? 1) + 1), core);
    case 'thing_slips': {
      const times = fault.times ?? 1;
      const afterS = (): number => fault.after_s ?? 1 + nextInt(random, 3_000) / 1_000;
      return thingSlips(drawOccasions(random, times, times + 1), afterS, core);
    }
    case 'aisle_closes':
      return aisleCloses(fault, at, random, core);
    default:
      return null;
  }
}

/** Pushes the thing between the hands away whenever they begin to close on it during a struck pick, to and fro, so that it stays on its table. */
function graspMisses(struck: ReadonlySet<number>, core: RuntimeCore): WorldFaults {
  let picks = 0;
  let pickId: string | null = null;
  let wasClosing = false;
  let way = 1;
  return {
    beforeStep() {
      const pick = [...core.ledger.active.values()].find(({ name }) => name === 'pick_entity');
      const isClosing = pick?.phase.startsWith('closing') ?? false;
      const begins = isClosing && !wasClosing;
      wasClosing = isClosing;
      if (pick === undefined || !begins) return;
      if (pick.actionId !== pickId) picks += 1;
      pickId = pick.actionId;
      const thing = struck.has(picks) ? thingBetweenHands(core) : null;
      if (thing === null) return;
      const { yawRad } = core.world.base.pose;
      const speedMps = way * PUSH_MPS;
      way = -way;
      thing.rigidBody.setLinvel({ x: speedMps * portable.cos(yawRad), y: speedMps * portable.sin(yawRad), z: 0 }, true);
    },
  };
}

function thingBetweenHands({ world }: RuntimeCore): Thing | null {
  const middle = middleOfPalms(world.body);
  const apartM = ({ position: { x, y, z } }: Thing): number => portable.hypot(x - middle.x, y - middle.y, z - middle.z);
  let nearest: Thing | null = null;
  for (const thing of world.things.all)
    if (thing.carrier === 'none' && (nearest === null || apartM(thing) < apartM(nearest))) nearest = thing;
  return nearest !== null && apartM(nearest) < 0.2 ? nearest : null;
}

/** Pulls a held thing down out of the hands, some time after it was taken. */
function thingSlips(struck: ReadonlySet<number>, afterS: () => number, core: RuntimeCore): WorldFaults {
  let holds = 0;
  let heldId: string | null = null;
  let waitSteps = 0;
  return {
    beforeStep() {
      const { hold } = core.world.grasp;
      if (hold === null) {
        heldId = null;
        return;
      }
      if (hold.thing.entityId !== heldId) {
        heldId = hold.thing.entityId;
        holds += 1;
        waitSteps = struck.has(holds) ? Math.round(afterS() * STEPS_PER_SECOND) : Number.POSITIVE_INFINITY;
      }
      waitSteps -= 1;
      if (waitSteps > 0 || waitSteps < -SLIP_STEPS) return;
      for (const body of [hold.thing.rigidBody, hold.carrier]) body.setLinvel({ x: 0, y: 0, z: -SLIP_MPS }, true);
    },
  };
}

/** Heavy enough that no robot pushes it aside. */
const OBSTACLE_KG = 20;
/** Air between the box and whatever is there, metres. */
const OBSTACLE_AIR_M = 0.15;

/** Puts a box into an aisle, as soon as nothing is in its place. */
function aisleCloses(
  { position: [x, y], size, after_s: afterS }: Extract<Fault, { kind: 'aisle_closes' }>,
  at: number,
  random: Random,
  core: RuntimeCore,
): WorldFaults {
  let waitSteps = Math.max(0, Math.round((afterS - 1 + nextInt(random, 2_001) / 1_000) * STEPS_PER_SECOND));
  let stands = false;
  const isFree = (atX: number, atY: number, radiusM: number): boolean =>
    portable.hypot(Math.max(0, Math.abs(atX - x) - size[0] / 2), Math.max(0, Math.abs(atY - y) - size[1] / 2)) >
    radiusM + OBSTACLE_AIR_M;
  return {
    beforeStep() {
      waitSteps -= 1;
      const { world } = core;
      if (stands || waitSteps > 0) return;
      const { base, robot, things } = world;
      if (!isFree(base.pose.x, base.pose.y, robot.model.radiusM)) return;
      if (!things.all.every(({ position }) => isFree(position.x, position.y, THING_REACH_M))) return;
      stands = true;
      const traits = {
        entityId: `obstacle_${at + 1}`,
        category: 'obstacle',
        colour: 'yellow' as const,
        shape: { kind: 'box' as const, size },
        massKg: OBSTACLE_KG,
        friction: 1,
      };
      noteRest(world, createThing(world, traits, [x, y, size[2] / 2], 0));
    },
  };
}

/** From the middle of a thing to its farthest corner, as far as things of scenes go. */
const THING_REACH_M = 0.25;
