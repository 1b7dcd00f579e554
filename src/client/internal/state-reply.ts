import { isRecord } from '../../common/schema-texts.ts';
import type { SkillDescriptor } from '../../protocol/wire/skill-descriptors.ts';
import { RcwRuntimeError } from '../errors.ts';
import type { States } from '../session-options.ts';

/** The methods that read states, by their keys. */
export const METHOD_OF_STATE: Record<keyof States, string> = {
  robot_status: 'runtime.state',
  scene_state: 'runtime.scene_state',
  scene_layout: 'runtime.scene_layout',
  manifest: 'runtime.manifest',
  capabilities: 'runtime.capabilities',
};

/** By method: parts without which a reply is invalid. All other parts depend on the runtime, and some runtimes report less. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  'runtime.state': ['runtime', 'robot'],
  'runtime.scene_state': ['entities'],
  'runtime.scene_layout': [],
  'runtime.manifest': [],
  'runtime.capabilities': [],
  'runtime.action': [],
};

/**
 * Returns the reply of a read, unchanged.
 * @throws RcwRuntimeError `INTERNAL` when the reply, or a part that must be an object, is not an object
 */
export function checkedReply(method: string, reply: unknown): unknown {
  const parts = Object.hasOwn(PARTS, method) ? PARTS[method] : undefined;
  if (parts === undefined || (isRecord(reply) && parts.every((part) => isRecord(reply[part])))) return reply;
  throw new RcwRuntimeError('INTERNAL', `The reply of the runtime is not what ${method} answers. Check what is in the room.`);
}

export const isSkillDescriptor = (skill: unknown): skill is SkillDescriptor =>
  isRecord(skill) && typeof skill.name === 'string' && typeof skill.description === 'string' && isRecord(skill.input_schema);
