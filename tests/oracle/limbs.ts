import type { RenderState } from '../../src/protocol/wire/render-state.ts';
import { isSliding, type RobotModel } from '../../src/protocol/wire/robot.ts';
import type { Obstacle } from '../../src/protocol/wire/scene.ts';
import { inWorld, type LinkFrame, linkOf, type Point, turnedOn } from '../promises/motion/links.ts';

/**
 * The judge of drawn arms against fixed things: rods from the joint angles that are drawn, by its own kinematics, and their depth
 * inside the boxes that `scene_layout` reports. Shares no code with the bodies, the skills and the planner. World frame, metres.
 */

/** A part of an arm: a straight line in a link's frame, and the thickness drawn around it. */
interface Rod {
  name: string;
  link: string;
  from: Point;
  to: Point;
  radiusM: number;
}

const SIDES = ['right', 'left'] as const;

const HUMANOID_RODS: readonly Rod[] = SIDES.flatMap((side): Rod[] => [
  { name: `${side} upper arm`, link: `${side}_shoulder_yaw_link`, from: [0, 0, 0], to: [0, 0, -0.22], radiusM: 0.034 },
  { name: `${side} forearm`, link: `${side}_elbow_link`, from: [0, 0, 0], to: [0, 0, -0.22], radiusM: 0.03 },
  { name: `${side} hand`, link: `${side}_wrist_yaw_link`, from: [0, 0, 0], to: [0, 0, -0.1], radiusM: 0.02 },
]);

const PICKER_RODS: readonly Rod[] = [
  { name: 'boom', link: 'boom', from: [0, 0, 0], to: [0.26, 0, 0], radiusM: 0.03 },
  { name: 'inner stage', link: 'inner_stage', from: [0, 0, 0], to: [0.26, 0, 0], radiusM: 0.026 },
  { name: 'outer stage', link: 'outer_stage', from: [0, 0, 0], to: [0.26, 0, 0], radiusM: 0.03 },
  { name: 'hand', link: 'hand', from: [0, 0, 0], to: [0, 0, -0.13], radiusM: 0.03 },
  ...SIDES.map(
    (side): Rod => ({ name: `${side} finger`, link: `${side}_finger`, from: [0, 0, 0.1], to: [0, 0, -0.05], radiusM: 0.01 }),
  ),
];

const RODS: Record<RobotModel['id'], readonly Rod[]> = { humanoid: HUMANOID_RODS, picker: PICKER_RODS };

/** How deep a part of an arm is inside a box. */
export interface Inside {
  part: string;
  obstacleId: string;
  /** Of the part's middle line, and of its surface, metres; negative if they are outside. */
  lineM: number;
  surfaceM: number;
}

/** Number of points that are checked along a rod. */
const LOOKS = 10;
const DEG = Math.PI / 180;

/** Frames of all links, by name: joints that turn and joints that slide. */
function framesOf({ joints, rootLink }: RobotModel, { rootPose, jointPositions }: Drawn): Map<string, LinkFrame> {
  const frames = new Map<string, LinkFrame>([[rootLink, { at: rootPose.position, turn: rootPose.orientation }]]);
  joints.forEach((joint, i) => {
    const { link, parentLink, origin, axis } = joint;
    const parent = linkOf(frames, parentLink);
    const value = jointPositions[i] ?? Number.NaN;
    if (isSliding(joint)) {
      const along: Point = [origin[0] + axis[0] * value, origin[1] + axis[1] * value, origin[2] + axis[2] * value];
      frames.set(link, { at: inWorld(parent, along), turn: parent.turn });
    } else frames.set(link, { at: inWorld(parent, origin), turn: turnedOn(parent.turn, axis, value) });
  });
  return frames;
}

type Drawn = Pick<RenderState, 'rootPose' | 'jointPositions'>;

/** How deep a point is inside a box: the distance to its nearest face; negative outside, by the distance. */
function depthM({ pose: { position, yaw_deg: yawDeg = 0 }, size }: Obstacle, [x, y, z]: Point): number {
  const [c, s] = [Math.cos(yawDeg * DEG), Math.sin(yawDeg * DEG)];
  const [dx, dy] = [x - position[0], y - position[1]];
  const out: Point = [
    Math.abs(c * dx + s * dy) - size[0] / 2,
    Math.abs(c * dy - s * dx) - size[1] / 2,
    Math.abs(z - position[2]) - size[2] / 2,
  ];
  const deepest = Math.max(...out);
  return deepest <= 0 ? -deepest : -Math.hypot(...out.map((one) => Math.max(0, one)));
}

/** Returns the parts of a robot's arms whose drawn surface is inside a box by more than `fromM`. */
export function armsInside(model: RobotModel, drawn: Drawn, obstacles: readonly Obstacle[], fromM = 0): Inside[] {
  const [rootX, rootY] = drawn.rootPose.position;
  // An arm extends less than this from the middle of its robot.
  const near = obstacles.filter(({ pose: { position }, size }) => {
    const halfM = Math.hypot(size[0], size[1]) / 2;
    if (Math.hypot(position[0] - rootX, position[1] - rootY) > halfM + REACH_M) return false;
    return Math.abs(position[0] - rootX) < REACH_M + halfM;
  });
  if (near.length === 0) return [];
  const frames = framesOf(model, drawn);
  return RODS[model.id].flatMap(({ name, link, from, to, radiusM }) => {
    const frame = linkOf(frames, link);
    const points = Array.from({ length: LOOKS + 1 }, (_, look): Point => {
      const share = look / LOOKS;
      return inWorld(frame, [
        from[0] + share * (to[0] - from[0]),
        from[1] + share * (to[1] - from[1]),
        from[2] + share * (to[2] - from[2]),
      ]);
    });
    return near.flatMap((obstacle): Inside[] => {
      const lineM = Math.max(...points.map((point) => depthM(obstacle, point)));
      const surfaceM = lineM + radiusM;
      return surfaceM > fromM ? [{ part: name, obstacleId: obstacle.obstacle_id, lineM, surfaceM }] : [];
    });
  });
}

const REACH_M = 1.2;
