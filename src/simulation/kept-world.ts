import type { SceneFile } from '../protocol/files/scene-file.ts';
import type { ColourMode } from '../protocol/wire/render-state.ts';
import { isRobotId, type RobotId } from '../protocol/wire/robot.ts';
import { isSceneId } from '../protocol/wire/scene-ids.ts';
import * as fixtures from './fixtures.ts';
import { copyPlain } from './plain.ts';
import { createRandom } from './random.ts';
import { robotById } from './robots.ts';
import type { Scenes } from './scene.ts';
import type { SceneDefinition } from './scene-definition.ts';
import { definitionOf } from './scene-file/definition-of.ts';
import { SIM_PROTOCOL } from './sim-protocol.ts';
import type { BaseState, CollectedCube, Hold, Physics, SimWorld } from './sim-world.ts';
import { bytesHash, stateHash } from './state-hash.ts';
import type { Thing, ThingCarrier, ThingTraits } from './thing.ts';

/** A thing of a kept world; bodies and colliders by their handles in the kept physics. */
interface KeptThing extends ThingTraits {
  isCube: boolean;
  beyondCubeM: number;
  bodyHandle: number;
  colliderHandles: number[];
  position: Thing['position'];
  rotation: Thing['rotation'];
  linearSpeedMps: number;
  angularSpeedRps: number;
  carrier: ThingCarrier;
  restSteps: number;
  restsOnPadId: string | null;
  rowSlot: number | null;
}

interface KeptHold extends Pick<Hold, 'anchor' | 'spanM' | 'target' | 'slipM'> {
  entityId: string;
  carrierHandle: number;
}

/**
 * A world between two steps, as data that can be cloned by structure: physics as bytes of the engine, everything else as it is.
 * The restored world continues exactly as the world itself would have.
 */
export interface KeptWorld {
  /** Protocol of the simulation that stored it: another simulation would continue differently. */
  simProtocol: number;
  /** Version of the physics engine, which alone understands its bytes. */
  engine: string;
  sceneId: string;
  /** The file of a scene from outside; null for one that comes with the product. */
  sceneFile: SceneFile | null;
  seed: number;
  step: number;
  simTimeS: number;
  /** Hash of the world, by `stateHash`. */
  hash: string;
  physics: Uint8Array;
  /** Hash of these bytes: the engine does not check its input. */
  physicsHash: string;
  random: Uint32Array;
  base: Pick<BaseState, 'command' | 'reference' | 'pose' | 'velocity'> & { bodyHandle: number; colliderHandle: number };
  robotId: RobotId;
  /** As the robot of this id keeps it. */
  body: unknown;
  /** All things, under the name that kept worlds have. */
  cubes: KeptThing[];
  nextCubeNumber: number;
  fixtures: fixtures.KeptFixture[];
  grasp: {
    palms: Record<'right' | 'left', { bodyHandle: number; colliderHandle: number }>;
    arePresent: boolean;
    giveWay: boolean;
    hold: KeptHold | null;
  };
  benchmark: { enabled: boolean; alreadyThere: string[]; spoiled: string[]; spoiledAndGone: number };
  collection: { enabled: boolean; listed: CollectedCube[]; sinceArmed: [string, number][] };
  colourMode: ColourMode;
  colliderIds: [number, string][];
}

/** The reason why a kept world cannot be restored: another version of the simulation kept it, or it differs from what was kept. */
export type NotRestored = 'other_version' | 'damaged';

/** Captures a world between two steps; the world is unchanged, and the returned data shares nothing with it. */
export function keepWorld(world: SimWorld): KeptWorld {
  const { base, body, things, grasp, benchmark, collection, rapier } = world;
  const physics = world.physics.takeSnapshot();
  const palm = (side: 'right' | 'left') => handlesOf(grasp.palms[side]);
  return {
    simProtocol: SIM_PROTOCOL,
    engine: rapier.version(),
    sceneId: world.scene.layout.scene_id,
    sceneFile: isSceneId(world.scene.layout.scene_id) ? null : world.scene.file,
    seed: world.seed,
    step: world.step,
    simTimeS: world.simTimeS,
    hash: stateHash(world),
    physics,
    physicsHash: bytesHash(physics),
    random: world.random.state.slice(),
    base: {
      ...handlesOf(base),
      ...copyPlain({ command: base.command, reference: base.reference, pose: base.pose, velocity: base.velocity }),
    },
    robotId: world.robot.model.id,
    body: world.robot.keep(body),
    cubes: things.all.map(keepThing),
    nextCubeNumber: things.nextNumber,
    fixtures: fixtures.keep(world),
    grasp: {
      palms: { right: palm('right'), left: palm('left') },
      arePresent: grasp.palms.arePresent,
      giveWay: grasp.palms.giveWay,
      hold: grasp.hold && keepHold(grasp.hold),
    },
    benchmark: {
      enabled: benchmark.enabled,
      alreadyThere: [...benchmark.alreadyThere],
      spoiled: [...benchmark.spoiled],
      spoiledAndGone: benchmark.spoiledAndGone,
    },
    collection: {
      enabled: collection.enabled,
      listed: copyPlain(collection.listed),
      sinceArmed: [...collection.sinceArmed],
    },
    colourMode: world.colourMode,
    colliderIds: [...world.colliderIds],
  };
}

const handlesOf = ({ rigidBody, collider }: Pick<BaseState, 'rigidBody' | 'collider'>) => ({
  bodyHandle: rigidBody.handle,
  colliderHandle: collider.handle,
});

const keepThing = ({ rigidBody, colliders, ...rest }: Thing): KeptThing => ({
  bodyHandle: rigidBody.handle,
  colliderHandles: colliders.map(({ handle }) => handle),
  ...copyPlain(rest),
});

const keepHold = ({ thing, carrier, anchor, spanM, target, slipM }: Hold): KeptHold => ({
  entityId: thing.entityId,
  carrierHandle: carrier.handle,
  anchor: { x: anchor.x, y: anchor.y, z: anchor.z },
  spanM,
  target: { ...target },
  slipM,
});

/** Returns whether this version can restore a kept world; data from another version may be anything. */
const isOfThisVersion = (
  rapier: Physics,
  kept: Pick<KeptWorld, 'simProtocol' | 'engine' | 'sceneId' | 'sceneFile' | 'robotId'>,
): boolean =>
  kept.simProtocol === SIM_PROTOCOL &&
  kept.engine === rapier.version() &&
  (isSceneId(kept.sceneId) || kept.sceneFile !== null) &&
  isRobotId(kept.robotId);

/**
 * Builds the world that was kept: equal in every bit, or not at all. The kept data stays unchanged.
 * @param scenes get the scene of the world, unless they have one of its id
 * @returns the world, or why there is none
 */
export function restoreWorld(
  rapier: Physics,
  kept: KeptWorld,
  scenes: Scenes,
): { ok: true; world: SimWorld } | { ok: false; reason: NotRestored } {
  if (!isOfThisVersion(rapier, kept)) return { ok: false, reason: 'other_version' };
  let physics: SimWorld['physics'] | null = null;
  try {
    if (bytesHash(kept.physics) !== kept.physicsHash) return { ok: false, reason: 'damaged' };
    physics = rapier.World.restoreSnapshot(kept.physics);
    const world = rebuild(rapier, physics, kept, sceneOf(kept, scenes));
    if (stateHash(world) === kept.hash) {
      if (scenes.byId(kept.sceneId) === null) scenes.add(world.scene);
      return { ok: true, world };
    }
  } catch {
    // The data is not a valid world, whatever the error.
  }
  physics?.free();
  return { ok: false, reason: 'damaged' };
}

/** The scene that was kept: a scene from outside may be another one of the same id by now, so it comes from its own file. */
function sceneOf({ sceneId, sceneFile }: KeptWorld, scenes: Scenes): SceneDefinition {
  const known = scenes.byId(sceneId);
  if (sceneFile === null) return must(known);
  return known && isSameFile(known.file, sceneFile) ? known : definitionOf(sceneFile);
}

const isSameFile = (one: SceneFile, other: SceneFile): boolean => JSON.stringify(one) === JSON.stringify(other);

/** @throws Error when something is missing */
function rebuild(rapier: Physics, physics: SimWorld['physics'], kept: KeptWorld, scene: SceneDefinition): SimWorld {
  const robot = robotById(kept.robotId);
  const bodyOf = (handle: number) => must(physics.getRigidBody(handle));
  const colliderOf = (handle: number) => must(physics.getCollider(handle));
  const partsOf = ({ bodyHandle, colliderHandle }: { bodyHandle: number; colliderHandle: number }) => ({
    rigidBody: bodyOf(bodyHandle),
    collider: colliderOf(colliderHandle),
  });
  const all = kept.cubes.map(({ bodyHandle, colliderHandles, ...rest }) => ({
    ...copyPlain(rest),
    rigidBody: bodyOf(bodyHandle),
    colliders: colliderHandles.map(colliderOf),
  }));
  const byId = new Map(all.map((thing) => [thing.entityId, thing]));
  const { bodyHandle, colliderHandle, ...moving } = kept.base;
  const random = createRandom(kept.seed);
  random.state.set(kept.random);
  const { hold } = kept.grasp;
  return {
    rapier,
    physics,
    step: kept.step,
    simTimeS: kept.simTimeS,
    seed: kept.seed,
    scene,
    random,
    base: { ...partsOf({ bodyHandle, colliderHandle }), ...copyPlain(moving) },
    robot,
    body: robot.restore(kept.body),
    things: { all, byId, nextNumber: kept.nextCubeNumber },
    fixtures: fixtures.restore(kept.fixtures, { scene, bodyOf, thingOf: (entityId) => must(byId.get(entityId)) }),
    grasp: {
      palms: {
        right: partsOf(kept.grasp.palms.right),
        left: partsOf(kept.grasp.palms.left),
        arePresent: kept.grasp.arePresent,
        giveWay: kept.grasp.giveWay,
      },
      hold: hold && {
        thing: must(byId.get(hold.entityId)),
        carrier: bodyOf(hold.carrierHandle),
        anchor: { ...hold.anchor },
        spanM: hold.spanM,
        target: { ...hold.target },
        slipM: hold.slipM,
      },
    },
    benchmark: {
      enabled: kept.benchmark.enabled,
      alreadyThere: new Set(kept.benchmark.alreadyThere),
      spoiled: new Set(kept.benchmark.spoiled),
      spoiledAndGone: kept.benchmark.spoiledAndGone,
    },
    collection: {
      enabled: kept.collection.enabled,
      listed: copyPlain(kept.collection.listed),
      sinceArmed: new Map(kept.collection.sinceArmed),
    },
    colourMode: kept.colourMode,
    colliderIds: new Map(kept.colliderIds),
    events: [],
  };
}

function must<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw new Error('A part of the kept world is missing.');
  return value;
}
