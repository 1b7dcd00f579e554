import type { SceneFile } from '../../protocol/files/scene-file.ts';
import { CARRIED_OVER_M, SLOT_AIR_M } from '../../protocol/files/scene-limits.ts';
import { MAX_SLOT_INDEX } from '../../protocol/wire/limits.ts';
import { ROBOT_IDS } from '../../protocol/wire/robot.ts';
import { robotModel } from '../../protocol/wire/robots.ts';
import { CUBE_EDGE_M } from '../../protocol/wire/scene.ts';
import type { SceneProblem } from '../../protocol/wire/scene-outcome.ts';
import { CUBE_MASS_KG, THING_FRICTION, thingProblem } from '../../protocol/wire/thing-shape.ts';
import type { SceneDefinition, ThingAtStart } from '../scene-definition.ts';
import { bottomOf, boxSolid, cylinderSolid, gapM, intersect, isOver, reachOf, type Solid, topOf } from '../solids.ts';
import { halfHeightM, outerSolid, solidsOf } from '../thing-solids.ts';

/** Places are compared to a millimetre. */
const NEAR_M = 1e-3;
const SMALLEST_ROOM_M = 1;
/** A wall round the room is outside of it. */
const WALL_M = 0.5;

const metres = (value: number): string => `${Number(value.toFixed(3))} m`;
type Floor = SceneFile['bounds'];

/** Returns whether a point is on the floor of the room, at least so far from its edges. */
const isOnFloor = ({ min, max }: Floor, x: number, y: number, marginM = 0): boolean =>
  x >= min[0] + marginM - NEAR_M &&
  x <= max[0] - marginM + NEAR_M &&
  y >= min[1] + marginM - NEAR_M &&
  y <= max[1] - marginM + NEAR_M;

const roomText = ({ min, max }: Floor): string => `x from ${min[0]} to ${max[0]}, y from ${min[1]} to ${max[1]}`;

/** Returns what is wrong with the bounds: a room must have a least size. */
export function boundsProblems({ bounds: { min, max } }: SceneFile): SceneProblem[] {
  return [0, 1].flatMap((axis) => {
    const least = (min[axis] ?? 0) + SMALLEST_ROOM_M;
    if ((max[axis] ?? 0) >= least) return [];
    return [
      {
        path: `bounds.max[${axis}]`,
        reason: `must be at least ${SMALLEST_ROOM_M} m more than bounds.min[${axis}], ${least}; it is ${max[axis]}.`,
      },
    ];
  });
}

const obstacleSolid = ({ position, size, yaw_deg: yawDeg }: NonNullable<SceneFile['obstacles']>[number]): Solid =>
  boxSolid(position, size, yawDeg);

/** Returns which obstacles are outside the bounds or below the floor. */
export function obstacleProblems({ obstacles = [], bounds }: SceneFile): SceneProblem[] {
  return obstacles.flatMap((obstacle, index) => {
    const at = `obstacles[${index}].position`;
    const [x, y] = obstacle.position;
    const underM = -bottomOf(obstacleSolid(obstacle));
    return [
      ...(isOnFloor(bounds, x, y, obstacle.kind === 'wall' ? -WALL_M : 0)
        ? []
        : [{ path: at, reason: `must be in the room, ${roomText(bounds)}; it is [${x}, ${y}].` }]),
      ...(underM > NEAR_M
        ? [
            {
              path: `${at}[2]`,
              reason: `must be at least ${metres(obstacle.size[2] / 2)}, half of its height, or it reaches under the floor; it is ${obstacle.position[2]}.`,
            },
          ]
        : []),
    ];
  });
}

/** Returns what is wrong with the pads and their slots. */
export function padProblems(file: SceneFile): SceneProblem[] {
  const { pads = [] } = file;
  return pads.flatMap((pad, index) => onePadProblems(file, pad, `pads[${index}]`));
}

type PadOfFile = NonNullable<SceneFile['pads']>[number];

function onePadProblems({ obstacles = [], bounds }: SceneFile, pad: PadOfFile, at: string): SceneProblem[] {
  const [x, y, z] = pad.position;
  const { slots = [], layers = 1 } = pad;
  const carrier = obstacles.find(({ kind, pad_id }) => kind !== 'sign' && pad_id === pad.id);
  const problems: SceneProblem[] = [];
  const report = (path: string, reason: string): void => {
    problems.push({ path: `${at}.${path}`, reason });
  };
  if (!isOnFloor(bounds, x, y)) report('position', `must be in the room, ${roomText(bounds)}; it is [${x}, ${y}].`);
  const wantedZ = carrier ? topOf(obstacleSolid(carrier)) : 0;
  if (Math.abs(z - wantedZ) > NEAR_M)
    report(
      'position[2]',
      `must be ${metres(wantedZ)}, ${carrier ? `the top of ${carrier.id}` : 'the floor, for nothing carries this pad'}; it is ${z}.`,
    );
  if (Math.abs(pad.size[2] - z) > NEAR_M)
    report('size[2]', `must be the height over the floor, ${metres(z)}; it is ${pad.size[2]}.`);
  if (carrier && !isWithin(boxSolid(pad.position, pad.size), obstacleSolid(carrier)))
    report('size', `must not reach beyond ${carrier.id}, which carries it.`);
  const topM = z + layers * CUBE_EDGE_M;
  if (topM > CARRIED_OVER_M + NEAR_M)
    report(
      'layers',
      `must leave what lies there below ${metres(CARRIED_OVER_M)}, or carried cubes sweep it away; it ends at ${metres(topM)}.`,
    );
  if (slots.length * layers > MAX_SLOT_INDEX + 1)
    report('slots', `must be at most ${MAX_SLOT_INDEX + 1} with all layers; they are ${slots.length * layers}.`);
  for (const [place, [slotX, slotY]] of slots.entries()) {
    if (!isOver(boxSolid(pad.position, pad.size), slotX, slotY, NEAR_M))
      report(`slots[${place}]`, `must be on the pad; [${slotX}, ${slotY}] is beside it.`);
    const near = slots.findIndex(
      ([otherX, otherY], other) =>
        other < place && Math.max(Math.abs(slotX - otherX), Math.abs(slotY - otherY)) < CUBE_EDGE_M + SLOT_AIR_M - NEAR_M,
    );
    if (near !== -1)
      report(
        `slots[${place}]`,
        `must be ${metres(CUBE_EDGE_M + SLOT_AIR_M)} from slots[${near}] along x or y, so that a cube fits into each.`,
      );
  }
  return problems;
}

/** Returns whether the outline of an upright rectangle is within another outline. */
function isWithin({ centre: [x, y], outline }: Solid, other: Solid): boolean {
  if (outline.kind !== 'rectangle') return false;
  const { halfX, halfY } = outline;
  return [-1, 1].every((signX) => [-1, 1].every((signY) => isOver(other, x + signX * halfX, y + signY * halfY, NEAR_M)));
}

interface Standing {
  id: string;
  solid: Solid;
}

const standingIn = ({ layout }: SceneDefinition): Standing[] =>
  layout.obstacles.map(({ obstacle_id: id, pose, size }) => ({ id, solid: boxSolid(pose.position, size, pose.yaw_deg) }));

/** The names of measures in the file, by those in the definition. */
const IN_FILE: Readonly<Record<string, string>> = {
  massKg: 'mass_kg',
  radiusM: 'radius_m',
  heightM: 'height_m',
  wallM: 'wall_m',
};

/** Measures that do not fit together, and properties that every cube has. */
export function measureProblems({ things = [] }: SceneFile, scene: SceneDefinition): SceneProblem[] {
  return things.flatMap(
    ({ shape, category, mass_kg: massKg, id, friction = THING_FRICTION, keeps_color: keepsColor }, index): SceneProblem[] => {
      const at = `things[${index}]`;
      const given = { category, mass_kg: massKg };
      if (shape === undefined)
        return Object.entries(given).flatMap(([name, value]) =>
          value === undefined
            ? []
            : [{ path: `${at}.${name}`, reason: 'means nothing for a cube; leave it out, or give the thing a shape.' }],
        );
      if (keepsColor !== undefined)
        return [{ path: `${at}.keeps_color`, reason: 'means something for a cube alone; other things always keep theirs.' }];
      for (const [name, value] of Object.entries({ ...given, id }))
        if (value === undefined) return [{ path: `${at}.${name}`, reason: 'is missing; a thing with a shape needs it.' }];
      const thing = scene.things[index];
      const problem = thing && thingProblem({ ...thing, massKg: massKg ?? CUBE_MASS_KG, friction });
      if (!problem) return [];
      const path = problem.path.replace(/[a-z]+[A-Z]\w*/g, (name) => IN_FILE[name] ?? name);
      return [{ path: `${at}.${path}`, reason: `is not valid for a thing: ${problem.reason}.` }];
    },
  );
}

/** Returns which things are not wholly in the room, are in something else, or rest on nothing. */
export function thingProblems({ bounds, pads = [] }: SceneFile, scene: SceneDefinition): SceneProblem[] {
  const standing = standingIn(scene);
  const before: Standing[] = [];
  return scene.things.flatMap((thing, index): SceneProblem[] => {
    const path = `things[${index}].position`;
    const [x, y, z] = thing.position;
    const solids = solidsOf(thing);
    const others = [...standing, ...before];
    before.push(...solids.map((solid) => ({ id: `things[${index}]`, solid })));
    if (!isInRoom(bounds, outerSolid(thing)))
      return [{ path, reason: `must be in the room, ${roomText(bounds)}, with all of it; it is [${x}, ${y}].` }];
    const inside = others.find((other) => solids.some((solid) => intersect(solid, other.solid, NEAR_M)));
    if (inside) return [{ path, reason: `must be where nothing else is; it is in ${inside.id}.` }];
    const topsM = [0, ...supportsUnder(scene, thing, x, y)];
    const underM = bottomOf(outerSolid(thing));
    if (topsM.some((topM) => Math.abs(topM - underM) <= NEAR_M)) return sweptProblem(pads, thing, path);
    const nextM = Math.max(...topsM.filter((topM) => topM < underM + NEAR_M));
    const rightM = nextM + halfHeightM(thing.shape);
    return [
      {
        path: `${path}[2]`,
        reason: `must be such that it rests on something: ${metres(rightM)} is on what is under it; it is ${z}.`,
      },
    ];
  });
}

/** A thing on a pad that ends too high is swept away by the next one that is carried over it. */
function sweptProblem(pads: readonly PadOfFile[], thing: ThingAtStart, path: string): SceneProblem[] {
  const [x, y, z] = thing.position;
  const under = pads.find((pad) => isOver(boxSolid(pad.position, pad.size), x, y) && z > pad.position[2]);
  const topM = topOf(outerSolid(thing));
  if (!under || topM <= CARRIED_OVER_M + NEAR_M) return [];
  const reason = `must leave it below ${metres(CARRIED_OVER_M)}, because it lies on ${under.id}, and carried things would sweep it away; it ends at ${metres(topM)}.`;
  return [{ path: `${path}[2]`, reason }];
}

/** The tops of what is under a point: obstacles, and parts of other things. */
const supportsUnder = (scene: SceneDefinition, thing: ThingAtStart, x: number, y: number): number[] =>
  [...standingIn(scene).map(({ solid }) => solid), ...scene.things.filter((other) => other !== thing).flatMap(solidsOf)]
    .filter((solid) => isOver(solid, x, y))
    .map(topOf);

/** Returns whether all of an outline is on the floor of the room. */
function isInRoom({ min, max }: Floor, solid: Solid): boolean {
  const { halfX, halfY } = reachOf(solid);
  const [x, y] = solid.centre;
  return (
    x - halfX >= min[0] - NEAR_M && x + halfX <= max[0] + NEAR_M && y - halfY >= min[1] - NEAR_M && y + halfY <= max[1] + NEAR_M
  );
}

/** The radius of the widest robot on the floor. */
const widestM = (): number => Math.max(...ROBOT_IDS.map((id) => robotModel(id).radiusM));
const tallestM = (): number => Math.max(...ROBOT_IDS.map((id) => robotModel(id).heightM));

/** Returns why a robot cannot stand where the scene puts it. */
export function spawnProblems({ bounds, spawn: { position } }: SceneFile, scene: SceneDefinition): SceneProblem[] {
  const [x, y] = position;
  const path = 'spawn.position';
  const radiusM = widestM();
  if (!isOnFloor(bounds, x, y, radiusM))
    return [
      { path, reason: `must be in the room, ${roomText(bounds)}, and ${metres(radiusM)} from its edges; it is [${x}, ${y}].` },
    ];
  const robot = cylinderSolid([x, y, tallestM() / 2], radiusM, tallestM());
  const things = scene.things.map((thing, index) => ({ id: `things[${index}]`, solid: outerSolid(thing) }));
  const blocker = [...standingIn(scene), ...things].find(({ solid }) => gapM(robot, solid) < 0);
  return blocker
    ? [{ path, reason: `must be a place where a robot of ${metres(radiusM)} radius stands free; ${blocker.id} is there.` }]
    : [];
}
