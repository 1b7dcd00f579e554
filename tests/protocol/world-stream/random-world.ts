import { DRIVER_KINDS } from '../../../src/protocol/wire/driver.ts';
import type { Quat, Vec3 } from '../../../src/protocol/wire/geometry.ts';
import type { ObjectRender, RenderState, RigidPose } from '../../../src/protocol/wire/render-state.ts';
import { ROBOT_IDS } from '../../../src/protocol/wire/robot.ts';
import { robotModel } from '../../../src/protocol/wire/robots.ts';
import { THING_COLOURS } from '../../../src/protocol/wire/scene.ts';
import { SCENE_IDS } from '../../../src/protocol/wire/scene-ids.ts';
import type { WorldSnapshot } from '../../../src/protocol/world-stream/world-frame.ts';
import type { Chance } from '../../oracle/chance.ts';

const EPOCH_MS = 1_760_000_000_000;

/** A world that no seed gives but that the types allow: any number of things anywhere, words of any alphabet. */
export function randomWorld(chance: Chance, cubesMax = 20): WorldSnapshot {
  const metres = () => chance.oneOf([0, -0, chance.between(-40, 40), chance.between(-1e-5, 1e-5), chance.between(-1e5, 1e5)]);
  const vec3 = (): Vec3 => [metres(), metres(), metres()];
  const pose = (): RigidPose => ({ position: vec3(), orientation: randomQuat(chance) });
  const some = <T>(max: number, make: (index: number) => T): T[] =>
    Array.from({ length: chance.below(max + 1) }, (_, k) => make(k));
  const robotId = chance.oneOf(ROBOT_IDS);
  const cameras = Object.fromEntries(
    ['pov', ...some(3, (k) => `camera_${k}`)].map((id) => [id, { ...pose(), verticalFovDeg: chance.between(10, 120) }]),
  ) as RenderState['cameras'];
  return {
    sceneId: chance.oneOf(SCENE_IDS),
    robotId,
    state: {
      step: chance.below(2 ** 31),
      simTimeS: chance.between(0, 1e7),
      rootPose: pose(),
      jointPositions: robotModel(robotId).joints.map(() => chance.between(-40, 40)),
      things: some(cubesMax, (k) => ({
        entityId: `cube_${k}`,
        colour: chance.oneOf(THING_COLOURS),
        held: chance.happens(0.1),
        ...(chance.happens(0.3) ? { object: randomObject(chance) } : {}),
        ...pose(),
      })),
      collected: some(4, (k) => ({
        entityId: `cube_${100 + k}`,
        colour: chance.oneOf(THING_COLOURS),
        padId: `pad_${k}`,
        ageS: chance.between(0, 3),
        ...pose(),
      })),
      cameras,
      colourMode: chance.oneOf(['natural', 'plain', 'segmentation'] as const),
      fixtures: some(2, (k) => ({ kind: 'conveyor' as const, id: `belt_${k}`, travelM: chance.between(0, 1e6) })),
    },
    status: {
      runtime: chance.oneOf(['ready', 'busy', 'error']),
      robot: chance.oneOf(['moving', 'holding']),
      action: chance.oneOf([null, 'go_to', 'gëhe 走 \u{1f916}']),
      phase: chance.oneOf([null, 'walking']),
      emergencyStop: chance.happens(0.2),
      driver: chance.oneOf([
        null,
        { identity: null, name: 'the page', kind: 'person', since_ms: 1_800_000_000_123 },
        { identity: 'ann-0f3e', name: 'Änn 走 \u{1f916}', kind: chance.oneOf(DRIVER_KINDS), since_ms: 0 },
      ]),
    },
    overlay: {
      path: some(48, () => [chance.between(-9, 9), chance.between(-9, 9)] as const),
      goal: chance.happens(0.5) ? { x: metres(), y: metres(), yawRad: chance.between(-3.2, 3.2) } : null,
      targetEntityId: chance.oneOf([null, 'cube_1']),
    },
    stepTimeMs: EPOCH_MS + chance.below(1e9),
  };
}

function randomObject(chance: Chance): ObjectRender {
  const edge = () => chance.between(0.02, 1);
  const massKg = chance.between(0.02, 20);
  const wallM = chance.between(0.015, 0.05);
  const broad = (): Vec3 => [chance.between(0.2, 1), chance.between(0.2, 1), chance.between(0.11, 1)];
  return chance.oneOf<ObjectRender>([
    { category: 'mug', massKg, shape: { kind: 'cylinder', radiusM: edge() / 2, heightM: edge() } },
    { category: 'schöne Kiste 走', massKg, shape: { kind: 'box', size: [edge(), edge(), edge()] } },
    { category: 'bin', massKg, shape: { kind: 'container', size: broad(), wallM } },
  ]);
}

export function randomQuat(chance: Chance): Quat {
  const parts = [0, 0, 0, 0].map(() => chance.between(-1, 1)) as [number, number, number, number];
  const length = Math.hypot(...parts);
  return length < 1e-3 ? [0, 0, 0, 1] : (parts.map((part) => part / length) as unknown as Quat);
}
