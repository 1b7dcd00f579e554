import RAPIER from '@dimforge/rapier3d-compat';
import type { RobotId } from '../../src/protocol/wire/robot.ts';
import { type RuntimeCore, replaceWorld } from '../../src/runtime/core.ts';
import type { ThingAtStart } from '../../src/simulation/scene-definition.ts';
import { createWorldOf } from '../../src/simulation/world.ts';
import { isGripped, liesIn, liesOn, standsAt, thingTruth } from '../oracle/thing-truth.ts';
import { hallWith, TABLE_M } from '../simulation/things-scene.ts';
import { createTestRuntime, entity, type Reply, type TestRuntime } from './test-runtime.ts';

/** The final place of the thing. */
export type Put =
  | { kind: 'slot'; padId: string; index: number }
  | { kind: 'pad'; padId: string }
  | { kind: 'floor'; x: number; y: number }
  | { kind: 'in' | 'on'; entityId: string };

/** One round: a thing is taken from its place, and put somewhere. */
export interface Round {
  robotId: RobotId;
  things: readonly ThingAtStart[];
  take: string;
  put: Put;
}

export interface RoundEnd {
  picked: Reply;
  placed: Reply | null;
  /** The claims of the replies that are false. */
  lies: string[];
}

/** A runtime in the hall with these things. */
export async function runtimeWith(robotId: RobotId, things: readonly ThingAtStart[]): Promise<TestRuntime> {
  const t = await createTestRuntime({ robotId, sceneId: 'hall' });
  replaceWorld(t.core, createWorldOf(RAPIER, hallWith(things), { seed: 1, robotId }));
  return t;
}

const targetOf = (put: Put, take: ThingAtStart, held: number) => {
  switch (put.kind) {
    case 'slot':
      return { target: { kind: 'slot', pad_id: put.padId, index: put.index } };
    case 'pad':
      return entity(put.padId);
    case 'floor':
      return { target: { kind: 'pose', pose: { position: [put.x, put.y, held], yaw_deg: take.yawRad ?? 0 } } };
    case 'in':
    case 'on':
      return entity(put.entityId);
  }
};

/** Returns the claims of a `done` place that physics contradicts. */
function liesOfPlace(core: RuntimeCore, id: string, put: Put): string[] {
  const truth = thingTruth(core, id);
  switch (put.kind) {
    case 'slot':
    case 'pad':
      return standsAt(truth, put.padId === 'pad_3' ? 0 : TABLE_M) ? [] : [`it is not on ${put.padId}: ${truth.bottomZ}`];
    case 'floor':
      return standsAt(truth, 0) && Math.hypot(truth.centre[0] - put.x, truth.centre[1] - put.y) < 0.04
        ? []
        : [`it is at ${truth.centre}`];
    case 'in':
      return liesIn(truth, thingTruth(core, put.entityId)) ? [] : [`it is not in ${put.entityId}`];
    case 'on':
      return liesOn(truth, thingTruth(core, put.entityId)) ? [] : [`it is not on ${put.entityId}`];
  }
}

/** A place before a slot of a table, on the side of the room. */
function besideSlot({ world }: RuntimeCore, { padId, index }: { padId: string; index: number }) {
  const slot = world.scene.layout.slots.find((one) => one.pad_id === padId && one.index === index);
  const [x = 0, y = 0] = slot?.position ?? [];
  return { target: { kind: 'pose', pose: { position: [x - 0.62, y, 0], yaw_deg: 0 } } };
}

/** Plays a round. */
export async function play({ robotId, things, take, put }: Round): Promise<RoundEnd> {
  const t = await runtimeWith(robotId, things);
  const taken = things.find(({ id }) => id === take);
  if (!taken) throw new Error(`There is no ${take}.`);
  t.advance(60);
  const lies: string[] = [];
  const near = t.invoke('go_to', entity(take));
  if (near.status !== 'done') return { picked: near, placed: null, lies };
  const picked = t.invoke('pick_entity', entity(take));
  const isHeld = isGripped(t.core, thingTruth(t.core, take));
  if ((picked.status === 'done') !== isHeld) lies.push(`pick_entity says ${picked.status}, and physics ${isHeld}`);
  if (picked.status !== 'done') return { picked, placed: null, lies };
  const truth = thingTruth(t.core, take);
  const halfM = (truth.topZ - truth.bottomZ) / 2;
  const goal =
    put.kind === 'floor'
      ? { target: { kind: 'pose', pose: { position: [put.x, put.y - 0.5, 0], yaw_deg: 90 } } }
      : put.kind === 'slot'
        ? besideSlot(t.core, put)
        : entity(put.kind === 'pad' ? put.padId : put.entityId);
  const went = t.invoke('go_to', goal);
  if (went.status !== 'done') return { picked, placed: went, lies };
  if (!isGripped(t.core, thingTruth(t.core, take))) lies.push('it was lost on the way, and nobody said so');
  const placed = t.invoke('place_entity', targetOf(put, taken, halfM));
  if (placed.status === 'done') lies.push(...liesOfPlace(t.core, take, put));
  return { picked, placed, lies };
}
