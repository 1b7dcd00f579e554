import { capitalise } from '../../../../common/capitalise.ts';
import { type Pose, quatToYaw, radToDeg } from '../../../../protocol/wire/geometry.ts';
import { REACH_M } from '../../../../protocol/wire/limits.ts';
import { carrierOf, type Furniture, type FurnitureKind, furnitureOf, type ScenePlace } from '../../../../protocol/wire/place.ts';
import { type EntityState, ROBOT_ENTITY_ID, type SceneLayout, type SceneState } from '../../../../protocol/wire/scene.ts';
import type { SkillName } from '../../../../protocol/wire/skills.ts';
import { counted, decimal, degrees, metres } from '../../common/format.ts';
import { isCollected } from '../../values/scene-texts.ts';

/** The subject of a card: an entity, an obstacle, or a place on the floor. */
export interface CardSubject {
  /** Id of the entity or obstacle; null for a place. */
  id: string | null;
  /** "Red cube", "Pad for red cubes", "Rack", "Floor". */
  title: string;
  kind: 'robot' | 'cube' | 'object' | 'pad' | 'obstacle' | 'floor';
  colour: string | null;
  facts: readonly (readonly [label: string, value: string])[];
  /** As reported by the runtime. */
  pose: Pose;
  /** Whether it is a cube that has been collected, on which no action is possible. */
  collected?: boolean;
}

/** One call of a skill. */
export interface SkillStep {
  name: SkillName;
  input: Record<string, unknown>;
}

/** One offer of a card: calls that are made one after the other, as long as they succeed. */
export interface CardAction {
  label: string;
  icon: 'walk' | 'pick' | 'place' | 'look';
  steps: readonly SkillStep[];
}

const FURNITURE_TEXTS: Record<FurnitureKind, string> = {
  wall: 'Wall',
  rack: 'Rack',
  pallet: 'Pallet',
  table: 'Table',
  belt: 'Belt',
  infeed: 'Infeed of the belt',
  sign: 'Sign',
};
const placeText = ([x, y, z]: Pose['position']): string => `x ${decimal(x, 2)}, y ${decimal(y, 2)}, z ${decimal(z, 2)} m`;

/** Robot data in addition to the scene: its name, its activity in words, and the word for its hands. */
export interface RobotWords {
  name: string;
  doing: string;
  hands: string;
}

/** Returns the card's subject for an entity or obstacle; null for an id that does not exist any more. */
export function entitySubject(id: string, scene: SceneState | null, layout: ScenePlace, robot: RobotWords): CardSubject | null {
  const entity = scene?.entities[id];
  if (!entity || !scene) return obstacleSubject(id, layout, scene);
  const { kind, pose, state } = entity;
  const colour = state.color ?? null;
  const facts: [string, string][] = [];
  const collected = isCollected(entity);
  if (kind === 'cube' || kind === 'object') facts.push(['Where', thingWhere(entity, robot)]);
  if (kind === 'pad') {
    const lying = Object.values(scene.entities).filter((other) => other.state.parent_pad_id === id && !isCollected(other));
    const noun = lying.every((other) => other.kind === 'cube') ? 'cube' : 'thing';
    facts.push(['On it', lying.length === 0 ? 'nothing' : counted(lying.length, noun)]);
  }
  if (kind === 'robot') {
    const held = Object.values(scene.entities).find(({ attached_to }) => attached_to === ROBOT_ENTITY_ID);
    facts.push(['State', robot.doing || 'Ready'], ['Holds', held?.entity_id ?? 'nothing']);
  }
  facts.push([collected ? 'It lay at' : 'Position', placeText(pose.position)]);
  const yawDeg = pose.yaw_deg ?? (pose.orientation_xyzw ? radToDeg(quatToYaw(pose.orientation_xyzw)) : null);
  if (yawDeg !== null && kind !== 'pad' && !collected) facts.push(['Heading', degrees(yawDeg)]);
  const away = distanceToRobotM(pose.position, scene);
  if (kind !== 'robot' && away !== null && !collected) facts.push(['From the robot', metres(away)]);
  const title = kind === 'robot' ? robot.name : entityTitle(kind, colour, carrierOf(layout, id), state.category);
  return { id, title, kind, colour, facts, pose, collected };
}

function entityTitle(
  kind: 'cube' | 'object' | 'pad',
  colour: string | null,
  carrier: Furniture | null,
  category = 'thing',
): string {
  if (kind === 'object') return capitalise(colour ? `${colour} ${category}` : category);
  if (kind === 'cube') return colour ? `${capitalise(colour)} cube` : 'Cube';
  if (carrier?.kind === 'belt') return 'Belt that brings cubes';
  if (colour) return `Pad for ${colour} cubes`;
  return carrier ? FURNITURE_TEXTS[carrier.kind] : 'Marked place on the floor';
}

function thingWhere(thing: EntityState, { hands }: RobotWords): string {
  const padId = thing.state.parent_pad_id;
  if (thing.attached_to === ROBOT_ENTITY_ID) return `in the robot’s ${hands}`;
  if (isCollected(thing)) return `delivered to ${padId}, and collected`;
  return padId ? `on ${padId}` : 'on no pad';
}

function obstacleSubject(id: string, layout: ScenePlace, scene: SceneState | null): CardSubject | null {
  const obstacle = layout.obstacles.find(({ obstacle_id }) => obstacle_id === id);
  if (!obstacle) return null;
  const { pose, size } = obstacle;
  const away = scene && distanceToRobotM(pose.position, scene);
  const facts: [string, string][] = [
    ['Size', `${size.map((extent) => decimal(extent, 2)).join(' × ')} m`],
    ['Position', placeText(pose.position)],
  ];
  if (away != null) facts.push(['From the robot', metres(away)]);
  const piece = furnitureOf(layout, id);
  const title = piece ? FURNITURE_TEXTS[piece.kind] : 'Obstacle';
  return { id, title, kind: 'obstacle', colour: null, facts, pose: { frame_id: 'world', ...pose } };
}

/** Returns a place on the floor, world frame, metres. */
export function floorSubject([x, y]: readonly [number, number], scene: SceneState | null): CardSubject {
  const position: Pose['position'] = [Number(x.toFixed(3)), Number(y.toFixed(3)), 0];
  const away = scene && distanceToRobotM(position, scene);
  const facts: [string, string][] = [['Position', `x ${decimal(x, 2)}, y ${decimal(y, 2)} m`]];
  if (away != null) facts.push(['From the robot', metres(away)]);
  return { id: null, title: 'Floor', kind: 'floor', colour: null, facts, pose: { frame_id: 'world', position } };
}

/** Returns the distance on the floor plane, metres; null without a robot. */
function distanceToRobotM(position: Pose['position'], scene: SceneState): number | null {
  const robot = scene.entities[ROBOT_ENTITY_ID]?.pose.position;
  return robot ? Math.hypot(position[0] - robot[0], position[1] - robot[1]) : null;
}

/**
 * Returns the robot's possible actions on a subject, the most likely first.
 * @param heldId the object in its hands
 */
export function cardActions(
  subject: CardSubject,
  scene: SceneState | null,
  layout: Pick<SceneLayout, 'pads'>,
  heldId: string | null,
): readonly CardAction[] {
  const { id, kind, pose } = subject;
  if (subject.collected) return [];
  const isRoom = kind === 'floor' || kind === 'obstacle' || id === null;
  const target = isRoom
    ? { kind: 'pose', pose: { frame_id: 'world', position: pose.position } }
    : { kind: 'entity', entity_id: id };
  const walk: SkillStep = { name: 'go_to', input: { target } };
  const look: CardAction = { label: 'Look at it', icon: 'look', steps: [{ name: 'look_at', input: { target } }] };
  const away = scene && distanceToRobotM(pose.position, scene);
  const first = away !== null && away > REACH_M ? [walk] : [];
  switch (kind) {
    case 'robot':
      return [{ label: 'Look straight ahead', icon: 'look', steps: [{ name: 'set_head', input: { yaw: 0, pitch: 0 } }] }];
    case 'floor':
      return [
        { label: 'Send the robot here', icon: 'walk', steps: [walk] },
        { ...look, label: 'Look here' },
      ];
    case 'obstacle':
      return [look];
    case 'object':
    case 'cube': {
      if (heldId === id) return scene ? putDownActions(subject, scene, layout) : [];
      const pickUp: CardAction = {
        label: 'Pick it up',
        icon: 'pick',
        steps: [...first, { name: 'pick_entity', input: { target } }],
      };
      const placeOnIt: CardAction = { label: `Put ${heldId} here`, icon: 'place', steps: putDownSteps(id ?? '', scene) };
      const ofHands = heldId === null ? [pickUp] : kind === 'object' ? [placeOnIt] : [];
      return [...ofHands, { label: 'Send the robot there', icon: 'walk', steps: [walk] }, look];
    }
    case 'pad': {
      const placeHere: CardAction = { label: `Put ${heldId} here`, icon: 'place', steps: putDownSteps(id ?? '', scene) };
      return [...(heldId === null ? [] : [placeHere]), { label: 'Send the robot there', icon: 'walk', steps: [walk] }, look];
    }
  }
}

/**
 * Returns the actions to put a cube down: on the nearest pad for its colour, and on the nearest pad of all if that is another
 * one.
 */
function putDownActions(cube: CardSubject, scene: SceneState, layout: Pick<SceneLayout, 'pads'>): CardAction[] {
  const takes = new Set(layout.pads.filter(({ role }) => role === 'destination').map(({ pad_id }) => pad_id));
  const pads = Object.values(scene.entities)
    .filter(({ entity_id }) => takes.has(entity_id))
    .toSorted((a, b) => (distanceToRobotM(a.pose.position, scene) ?? 0) - (distanceToRobotM(b.pose.position, scene) ?? 0));
  const own = pads.find(({ state }) => state.color === cube.colour);
  return [...new Set([own, pads[0]])].flatMap((pad) => {
    if (!pad) return [];
    const facts = [pad.state.color, pad === own ? undefined : 'the nearest'].filter(Boolean).join(', ');
    return {
      label: `Put it on ${pad.entity_id}${facts && ` (${facts})`}`,
      icon: 'place',
      steps: putDownSteps(pad.entity_id, scene),
    };
  });
}

/** Returns the steps to put an object down. If the pad is out of reach, the robot first walks to it. */
function putDownSteps(padId: string, scene: SceneState | null): SkillStep[] {
  const target = { kind: 'entity', entity_id: padId };
  const pad = scene?.entities[padId];
  const away = scene && pad ? distanceToRobotM(pad.pose.position, scene) : null;
  const first: SkillStep[] = away !== null && away > REACH_M ? [{ name: 'go_to', input: { target } }] : [];
  return [...first, { name: 'place_entity', input: { target } }];
}
