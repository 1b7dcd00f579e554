import {
  ANKLE_HEIGHT_M,
  BASE_HEIGHT_M,
  CAMERA_IN_HEAD,
  HEAD_PITCH_ABOVE_NECK_M,
  HIP_OFFSET,
  JOINT_COUNT,
  JOINT_INDEX,
  NECK_ABOVE_WAIST_M,
  SHANK_M,
  STANDING_LEFT_ARM_RAD,
  STANDING_RIGHT_ARM_RAD,
  THIGH_M,
  WAIST_HEIGHT_M,
} from '../../../src/protocol/robots/humanoid.ts';
import { yawToQuat } from '../../../src/protocol/wire/geometry.ts';
import type { SceneCamera, ScenePlace } from '../../../src/protocol/wire/place.ts';
import type { RenderState, ThingRender } from '../../../src/protocol/wire/render-state.ts';
import type { Obstacle, Pad, ThingColour } from '../../../src/protocol/wire/scene.ts';

const box = (id: string, position: [number, number, number], size: [number, number, number], yawDeg = 0): Obstacle => ({
  kind: 'box',
  obstacle_id: id,
  pose: { position, yaw_deg: yawDeg },
  size,
});

const DESTINATIONS: readonly [string, number, number, ThingColour, number, number][] = [
  ['B', -1.4, -5.5, 'red', -1, -1],
  ['C', 3.2, 1.6, 'green', 1, 1],
  ['D', 3.2, -5.5, 'blue', 1, -1],
  ['E', -2.8, 0.8, 'yellow', -1, 1],
];

const SAMPLE_TOPDOWN: SceneCamera = {
  id: 'topdown',
  title: 'Ceiling',
  description: 'Above the warehouse.',
  position: [0.25, -1.85, 11.8],
  orientation: [Math.SQRT1_2, -Math.SQRT1_2, 0, 0],
  verticalFovDeg: 60,
};

/** A warehouse with the wire contract's numbers, independent of the simulation. */
export const SAMPLE_LAYOUT: ScenePlace = {
  robot: 'humanoid',
  scene_id: 'warehouse',
  look: 'warehouse',
  dressing: null,
  bounds: { min: [-5, -8.2, 0], max: [5.5, 4.5, 3.2] },
  obstacles: [
    box('wall_north', [0.25, 4.6, 1.6], [10.9, 0.2, 3.2]),
    box('wall_south', [0.25, -8.3, 1.6], [10.9, 0.2, 3.2]),
    box('wall_east', [5.6, -1.85, 1.6], [0.2, 12.7, 3.2]),
    box('wall_west', [-5.1, -1.85, 1.6], [0.2, 12.7, 3.2]),
    box('rack_1', [-4.65, -2.4, 1.1], [2.4, 0.6, 2.2], 90),
    box('rack_2', [-4.65, -5, 1.1], [2.4, 0.6, 2.2], 90),
    box('rack_3', [5.15, -2, 1.1], [2.4, 0.6, 2.2], 90),
    box('rack_4', [1, -7.85, 1.1], [2.4, 0.6, 2.2]),
    box('rack_5', [-1.8, 4.15, 1.1], [2.4, 0.6, 2.2]),
    box('rack_6', [-1.6, -2.6, 1.1], [2.4, 0.6, 2.2]),
    box('belt', [1.4, 0.4, 0.2875], [0.34, 5, 0.575]),
    box('infeed', [1.4, 2.55, 0.52], [0.5, 0.8, 1.04]),
    ...DESTINATIONS.flatMap(([letter, x, y, , sx, sy]) => [
      box(`pallet_${letter}`, [x, y, 0.06], [0.8, 0.8, 0.12]),
      box(`sign_${letter}`, [x + sx * 0.48, y + sy * 0.48, 0.7], [0.05, 0.05, 1.4]),
    ]),
  ],
  pads: [
    { pad_id: 'pad_A', position: [1.4, 0, 0.575], size: [0.34, 4, 0.02], role: 'source' },
    ...DESTINATIONS.map(
      ([letter, x, y, color]): Pad => ({
        pad_id: `pad_${letter}`,
        position: [x, y, 0.12],
        size: [0.8, 0.8, 0.02],
        color,
        role: 'destination',
      }),
    ),
  ],
  slots: Array.from({ length: 7 }, (_, index) => ({ pad_id: 'pad_A', index, position: [1.4, -1.8 + 0.6 * index, 0.65] })),
  furniture: [
    ...['wall_north', 'wall_south', 'wall_east', 'wall_west'].map((id) => ({ id, kind: 'wall' }) as const),
    ...[1, 2, 3, 4, 5, 6].map((number) => ({ id: `rack_${number}`, kind: 'rack' }) as const),
    { id: 'belt', kind: 'belt', padId: 'pad_A' },
    { id: 'infeed', kind: 'infeed', beltId: 'belt' },
    ...DESTINATIONS.flatMap(([letter]) => [
      { id: `pallet_${letter}`, kind: 'pallet', padId: `pad_${letter}` } as const,
      { id: `sign_${letter}`, kind: 'sign', padId: `pad_${letter}`, letter } as const,
    ]),
  ],
  cameras: [SAMPLE_TOPDOWN],
  spawn: { frame_id: 'world', position: [0.405, -1.497, 0], yaw_deg: 0 },
};

const COLOURS: readonly ThingColour[] = ['blue', 'green', 'green', 'blue', 'red', 'red', 'blue'];

export const SAMPLE_CUBES: readonly ThingRender[] = [
  ...COLOURS.map(
    (colour, k): ThingRender => ({
      entityId: `cube_${k}`,
      colour,
      held: false,
      position: [1.4, -1.8 + 0.6 * k, 0.65],
      orientation: yawToQuat(0.02 * k),
    }),
  ),
  { entityId: 'cube_7', colour: 'yellow', held: false, position: [-2.62, 0.62, 0.195], orientation: yawToQuat(0.1) },
  { entityId: 'cube_8', colour: 'red', held: false, position: [-1.58, -5.68, 0.195], orientation: yawToQuat(0) },
  { entityId: 'cube_9', colour: 'yellow', held: false, position: [1.1, -3.1, 0.075], orientation: yawToQuat(0.6) },
];

export interface SamplePose {
  x?: number;
  y?: number;
  yawRad?: number;
  headPitchRad?: number;
  joints?: Partial<Record<number, number>>;
}

/**
 * Returns the robot at a place, standing or posed, with its pov camera at the model's position. The camera assumes waist
 * and head yaw 0.
 */
export function sampleState(pose: SamplePose = {}): RenderState {
  const { x = 0.405, y = -1.497, yawRad = 0, headPitchRad = 0 } = pose;
  const jointPositions = new Array<number>(JOINT_COUNT).fill(0);
  STANDING_RIGHT_ARM_RAD.forEach((angle, k) => {
    jointPositions[JOINT_INDEX.rightArm + k] = angle;
  });
  STANDING_LEFT_ARM_RAD.forEach((angle, k) => {
    jointPositions[JOINT_INDEX.leftArm + k] = angle;
  });
  // The knees bend until the soles are on the floor, because the legs are longer than the height of the hips.
  const bendRad = Math.acos((BASE_HEIGHT_M + HIP_OFFSET[2] - ANKLE_HEIGHT_M) / (THIGH_M + SHANK_M));
  for (const leg of [JOINT_INDEX.rightLeg, JOINT_INDEX.leftLeg]) {
    jointPositions[leg] = -bendRad;
    jointPositions[leg + 3] = 2 * bendRad;
    jointPositions[leg + 4] = -bendRad;
  }
  jointPositions[JOINT_INDEX.headPitch] = headPitchRad;
  for (const [index, angle] of Object.entries(pose.joints ?? {})) jointPositions[Number(index)] = angle ?? 0;
  const [cx, , cz] = CAMERA_IN_HEAD;
  const neckZ = BASE_HEIGHT_M + WAIST_HEIGHT_M + NECK_ABOVE_WAIST_M + HEAD_PITCH_ABOVE_NECK_M;
  const ahead = cx * Math.cos(headPitchRad) + cz * Math.sin(headPitchRad);
  const up = neckZ - cx * Math.sin(headPitchRad) + cz * Math.cos(headPitchRad);
  return {
    step: 0,
    simTimeS: 0,
    rootPose: { position: [x, y, BASE_HEIGHT_M], orientation: yawToQuat(yawRad) },
    jointPositions,
    things: SAMPLE_CUBES,
    collected: [],
    cameras: {
      pov: {
        position: [x + ahead * Math.cos(yawRad), y + ahead * Math.sin(yawRad), up],
        orientation: opticalLooking(yawRad, headPitchRad),
        verticalFovDeg: 70,
      },
      topdown: SAMPLE_TOPDOWN,
    },
    colourMode: 'natural',
    fixtures: [{ kind: 'conveyor', id: 'belt', travelM: 0 }],
  };
}

/** Returns the orientation of an optical frame (x right, y down, z forward) that looks along a heading, pitched down. */
function opticalLooking(yawRad: number, pitchRad: number): [number, number, number, number] {
  // Columns: right, down, forward in the world.
  const [cy, sy, cp, sp] = [Math.cos(yawRad), Math.sin(yawRad), Math.cos(pitchRad), Math.sin(pitchRad)];
  const right = [sy, -cy, 0] as const;
  const forward = [cy * cp, sy * cp, -sp] as const;
  const down = [-cy * sp, -sy * sp, -cp] as const;
  const m = [right[0], down[0], forward[0], right[1], down[1], forward[1], right[2], down[2], forward[2]] as const;
  const candidates: [number, number, number, number] = [
    1 + m[0] - m[4] - m[8],
    1 - m[0] + m[4] - m[8],
    1 - m[0] - m[4] + m[8],
    1 + m[0] + m[4] + m[8],
  ];
  const largest = candidates.indexOf(Math.max(...candidates));
  const s = 2 * Math.sqrt(candidates[largest] ?? 1);
  switch (largest) {
    case 0:
      return [s / 4, (m[1] + m[3]) / s, (m[2] + m[6]) / s, (m[7] - m[5]) / s];
    case 1:
      return [(m[1] + m[3]) / s, s / 4, (m[5] + m[7]) / s, (m[2] - m[6]) / s];
    case 2:
      return [(m[2] + m[6]) / s, (m[5] + m[7]) / s, s / 4, (m[3] - m[1]) / s];
    default:
      return [(m[7] - m[5]) / s, (m[2] - m[6]) / s, (m[3] - m[1]) / s, s / 4];
  }
}
