/**
 * Notes for the reference of file formats in addition to the schemas: meanings of properties that have no description, and
 * defaults of properties that a file omits. They are separate from the schemas because the page loads these, and each description
 * makes it larger.
 */

import { SCENE_LIMITS } from '../../src/protocol/files/scene-limits.ts';
import { FACING_WITHIN_DEG } from '../../src/protocol/wire/placings.ts';
import { THING_FRICTION } from '../../src/protocol/wire/thing-shape.ts';
import { HEADING_WITHIN_DEG, UPRIGHT_WITHIN_DEG } from '../../src/tasks/predicates.ts';

/** A note about one property. */
export interface FileNote {
  /** For a property whose schema has no description, or one that depends on its neighbours. */
  meaning?: string;
  /** The value that applies if the property is omitted. */
  default?: string;
}

/**
 * Notes by the path of the property, such as `things[].friction`. A kind of a union is in angle brackets:
 * `faults[]<slow_link>.delay_s`.
 */
export type FileNotes = Readonly<Record<string, FileNote>>;

const EVERY: FileNote = { default: 'every one, and at least one' };
const ONCE: FileNote = { default: '1' };
const FEWEST: FileNote = { meaning: 'so many of them', default: '1' };
const LEVEL: FileNote = { default: '0' };
const DRAWN: FileNote = { meaning: 'one of the values is drawn for each property' };

export const SCENE_NOTES: FileNotes = {
  format: { meaning: 'name and version of the format' },
  scene_id: { meaning: 'id for programs; not that of a scene of the product' },
  'bounds.min': { meaning: 'corner with the smallest coordinates, metres; z is 0' },
  'bounds.max': { meaning: 'opposite corner, metres; z is the height of the walls, 1 to 10' },
  walls: { default: 'true' },
  'spawn.yaw_deg': LEVEL,
  obstacles: { meaning: 'boxes that never move' },
  'obstacles[].id': { meaning: 'id, unique in the scene' },
  'obstacles[].yaw_deg': LEVEL,
  'obstacles[].kind': { default: 'a plain box' },
  pads: { meaning: 'places to take things from and to put them on' },
  'pads[].id': { meaning: 'id, unique in the scene' },
  'pads[].size': {
    meaning: `full extents in metres, [x, y, height over the floor]; the height is at most ${SCENE_LIMITS.padHighestM}`,
  },
  'pads[].role': { meaning: 'whether robots take things from it or put things on it' },
  'pads[].slots': { default: 'none' },
  'pads[].layers': ONCE,
  'things[].id': { default: '`cube_0`, `cube_1`, …' },
  'things[].shape': { default: 'a cube' },
  'things[].shape<cylinder>.radius_m': { meaning: 'radius' },
  'things[].keeps_color': { default: 'false' },
  'things[].yaw_deg': LEVEL,
  'things[].friction': { default: String(THING_FRICTION) },
  'fixtures[]<conveyor>.half_width_m': { meaning: 'half of the width of the belt' },
  'regions[].id': { meaning: 'id, unique in the scene' },
  'regions[].title': { meaning: 'for people' },
  'variation.count[].things': { meaning: 'ids of the things' },
  'variation.count[].least': { meaning: 'fewest of them' },
  'variation.count[].most': { meaning: 'most of them' },
  'variation.choose[].from': DRAWN,
  'variation.choose[].from[].color': { meaning: 'colour; not of a cube' },
  'variation.choose[].from[].yaw_deg': { meaning: 'heading, degrees' },
  'variation.count': { meaning: 'how many things exist' },
  'variation.choose': { meaning: 'how things differ' },
  'variation.permute': { meaning: 'lists of things that exchange places' },
  'variation.jitter': { meaning: 'things that are moved a little' },
  'variation.jitter[].xy_m': LEVEL,
  'variation.jitter[].yaw_deg': LEVEL,
  'variation.place': { meaning: 'new places, and how things are to each other, in this order' },
  'variation.place[].within_deg': { default: String(FACING_WITHIN_DEG) },
  cameras: { meaning: "cameras besides the one in the robot's head" },
  'cameras[].id': { meaning: 'id, such as `topdown`; not `pov`' },
  'cameras[].description': { meaning: 'what it sees, for people and models' },
  'cameras[].vertical_fov_deg': { meaning: 'vertical field of view, degrees' },
  look: { default: '`"plain"`' },
  floor: { default: '`"concrete"`' },
  paint: { default: '`"white"`' },
  'decor[]<rug, mat>.paint': { meaning: 'its colour' },
  'decor[]<window, door, picture, clock, screen, tiles, cabinet, hood>.paint': { meaning: 'its colour' },
};

export const TASK_NOTES: FileNotes = {
  $schema: { meaning: 'for editors; nothing else reads it' },
  format: { meaning: 'name and version of the format' },
  suite: { meaning: 'the group of tasks to which it belongs' },
  title: { meaning: 'for people' },
  'instruction.default': { meaning: 'everyday words' },
  robots: { default: 'every robot' },
  'regions[].id': { meaning: 'id for predicates; it takes precedence over a region of the scene with the same id' },
  goal: { meaning: 'what must be true at the end' },
  'subgoals[].title': { meaning: 'for people' },
  'subgoals[].when': { meaning: 'what must be true once' },
  'predicates<on>.at_least': EVERY,
  'predicates<in>.place': { meaning: 'the place in which they rest' },
  'predicates<in>.container': { meaning: 'the container in which they rest' },
  'predicates<in>.at_least': EVERY,
  'predicates<present>.at_least': FEWEST,
  'predicates<held>.things': { meaning: 'the things' },
  'predicates<at>.place': { meaning: 'the place' },
  'predicates<at>.yaw_deg': { default: 'any heading' },
  'predicates<at>.within_deg': { meaning: 'how far the heading may be off, degrees', default: String(HEADING_WITHIN_DEG) },
  'predicates<near>.thing': { meaning: 'the other thing' },
  'predicates<near>.position': { meaning: 'the point, [x, y]' },
  'predicates<near>.at_least': EVERY,
  'predicates<upright>.within_deg': { meaning: 'how far they may lean, degrees', default: String(UPRIGHT_WITHIN_DEG) },
  'predicates<upright>.at_least': EVERY,
  'predicates<sorted>.at_least': EVERY,
  'predicates<missorted>.at_least': FEWEST,
  'predicates<all>.of': { meaning: 'the predicates' },
  'predicates<any>.of': { meaning: 'the predicates' },
  'predicates<any>.at_least': ONCE,
  'predicates<not>.of': { meaning: 'the predicate' },
  'predicates<then>.of': { meaning: 'the predicates in their order' },
  'predicates<while>.condition': { meaning: 'what is true at the same moment' },
  'predicates<while>.goal': { meaning: 'what becomes true or happens' },
  'predicates<still_at_end>.of': { meaning: 'the predicate' },
  'predicates<visited>.place': { meaning: 'the place' },
  'predicates<dropped>.things': { meaning: 'the things' },
  'faults[]<grasp_misses>.times': ONCE,
  'faults[]<thing_slips>.times': ONCE,
  'faults[]<thing_slips>.after_s': { meaning: 'seconds after the grasp', default: '1 to 4, drawn' },
  'faults[]<reply_lost>.times': ONCE,
  'faults[]<slow_link>.delay_s': { meaning: 'mean delay in seconds; each reply takes half to one and a half of it' },
  'faults[]<robot_busy>.times': ONCE,
  'places.region': { meaning: 'a region of the task or of its scene' },
  'places.position.within_m': { meaning: 'radius in metres' },
};

export const PROOF_NOTES: FileNotes = {
  format: { meaning: 'name and version of the format' },
  product_version: { meaning: 'version of SimpleSim that recorded the run' },
  scene: { meaning: 'the scene of the run' },
  'scene.id': { meaning: 'id of the scene' },
  robot: { meaning: 'the robot of the run' },
  profile: { meaning: 'the contract: of the simulator, or of a physical robot' },
  callers: { meaning: 'everyone who sent an input' },
  'calls[].method': { meaning: 'method of the runtime' },
  inputs: { meaning: 'everything that came into the run, in its order' },
  digests: { meaning: 'checks of the world at equal intervals' },
  'digests.every_steps': { meaning: 'steps between two digests' },
  verdict: { meaning: 'what the judge decided about the task' },
  'verdict.outcome': { meaning: 'whether the run passed' },
  'verdict.simulated_s': { meaning: 'simulated seconds until the decision' },
  'verdict.predicates[].kind': { meaning: 'kind of the predicate' },
  'verdict.predicates[].holds': { meaning: 'whether it is true' },
  'verdict.subgoals': { meaning: 'each subgoal of the task' },
  'verdict.subgoals[].title': { meaning: 'its title' },
  'verdict.subgoals[].credit': { meaning: 'its credit' },
  'verdict.subgoals[].reached_at_step': { meaning: 'the step at which it was reached; null if it was not' },
};
