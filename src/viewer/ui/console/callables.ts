import { z } from 'zod';
import { callOptionsSchema } from '../../../protocol/wire/action.ts';
import { HEAD_CAMERA_ID } from '../../../protocol/wire/captures.ts';
import { formSchemaOf, withFacts, withKnownFacts } from '../../../protocol/wire/field-facts.ts';
import * as limits from '../../../protocol/wire/limits.ts';
import { METHOD_REQUESTS, type MethodName } from '../../../protocol/wire/methods.ts';
import type { SkillDescriptor } from '../../../protocol/wire/skill-descriptors.ts';
import type { SkillSpec } from '../../../protocol/wire/skills.ts';
import { cameraChoiceText } from '../common/camera-texts.ts';
import type { PlaceCamera } from '../common/place-cameras.ts';
import { type Field, fieldOf } from './form-model.ts';
import type { JsonSchema } from './json-schema.ts';

/** A request that the console can send to the robot. */
export interface Callable {
  /** The name of a skill, or of a method of the runtime. */
  id: string;
  kind: 'skill' | 'read' | 'picture';
  method: MethodName;
  title: string;
  description: string;
  /** The form for the person. */
  form: Field;
  /** Options of the call itself, if it takes any. */
  options: Field | null;
  /** The skill's own data: the body parts it moves, and its usual duration. */
  facts: { bodyParts: readonly string[]; estimatedMs: number | null };
}

const OPTIONS = fieldOf(formSchemaOf(callOptionsSchema));

/**
 * Returns a skill as the console offers it.
 * @param known the catalogue's entry, if this build knows the skill: units and names for its fields
 */
export const skillCallable = (skill: SkillDescriptor, known: SkillSpec | null): Callable => ({
  id: skill.name,
  kind: 'skill',
  method: 'runtime.tools_call',
  title: skill.title ?? skill.name,
  description: skill.description,
  form: fieldOf(withKnownFacts(skill.input_schema as JsonSchema, known ? formSchemaOf(known.input) : undefined)),
  options: OPTIONS,
  facts: { bodyParts: skill.annotations?.body_parts ?? [], estimatedMs: skill.cost?.estimated_ms ?? null },
});

const read = (method: MethodName, title: string, description: string): Callable => ({
  id: method,
  kind: 'read',
  method,
  title,
  description,
  form: fieldOf(formSchemaOf(METHOD_REQUESTS[method])),
  options: null,
  facts: { bodyParts: [], estimatedMs: null },
});

const pixels = (label: string, maxPx: number, usualPx: number) =>
  withFacts(z.int().min(limits.CAPTURE_MIN_PX).max(maxPx).default(usualPx), { unit: 'px', label });

const pictureSchema = (cameras: readonly PlaceCamera[]) =>
  z.strictObject({
    camera: z
      .enum([HEAD_CAMERA_ID, ...cameras.map(({ id }) => id).filter((id) => id !== HEAD_CAMERA_ID)])
      .default(HEAD_CAMERA_ID)
      .describe(cameras.map(cameraChoiceText).join(', ')),
    width_px: pixels('width', limits.CAPTURE_MAX_WIDTH_PX, limits.CAPTURE_DEFAULT_WIDTH_PX),
    height_px: pixels('height', limits.CAPTURE_MAX_HEIGHT_PX, limits.CAPTURE_DEFAULT_HEIGHT_PX),
  });

export const PICTURE_ID = 'runtime.cameras_capture';

/** Returns the callable that takes a picture with one of these cameras. */
const pictureCallable = (cameras: readonly PlaceCamera[]): Callable => ({
  ...read('runtime.cameras_capture', 'Take a picture', 'What a camera sees now, with its step, intrinsics and pose.'),
  kind: 'picture',
  form: fieldOf(formSchemaOf(pictureSchema(cameras))),
});

/** Returns the calls that every runtime answers in addition to its skills. @param cameras those of the robot's place */
export const standingCallables = (cameras: readonly PlaceCamera[]): readonly Callable[] => [pictureCallable(cameras), ...READS];

const READS: readonly Callable[] = [
  read('runtime.state', 'Read the state', 'Robot and runtime now, with the active and the last action.'),
  read('runtime.scene_state', 'Read the scene', 'Every entity with its pose, or only those asked for.'),
  read('runtime.scene_layout', 'Read the layout', 'What does not move: bounds, obstacles, pads, slots, regions and the start.'),
  read('runtime.tools_list', 'List the skills', 'Every skill with the schema of its input.'),
  read('runtime.capabilities', 'Read the capabilities', 'Cameras, limits, simulation controls and promises.'),
  read('runtime.manifest', 'Read the manifest', 'Product, versions, robot model, joints and scenes.'),
  read('runtime.action', 'Look up an action', 'The stored result of one action, or the last ones, newest first.'),
  read('runtime.cancel', 'Cancel an action', 'Ends one action by its id; “cancel-active” means whatever is active.'),
];

/** Returns the callables that match a search: every word of it must appear in the name, title or description. */
export function found(callables: readonly Callable[], search: string): readonly Callable[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const rank = ({ id, title }: Callable) => (words.every((word) => `${id} ${title}`.toLowerCase().includes(word)) ? 0 : 1);
  return callables
    .filter(({ id, title, description }) => {
      const text = `${id} ${id.replaceAll('_', ' ')} ${title} ${description}`.toLowerCase();
      return words.every((word) => text.includes(word));
    })
    .toSorted((a, b) => rank(a) - rank(b));
}
