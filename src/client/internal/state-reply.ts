import { isRecord } from '../../protocol/schema-words.ts';
import type { SkillDescriptor } from '../../protocol/skill-descriptors.ts';
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

/** By method: parts without which a reply is something else. The rest is the runtime's own, and other runtimes may say less. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  'runtime.state': ['runtime', 'robot'],
  'runtime.scene_state': ['entities'],
  'runtime.scene_layout': [],
  'runtime.manifest': [],
  'runtime.capabilities': [],
  'runtime.action': [],
};

/**
 * The reply of a read, as it came.
 * @throws RcwRuntimeError `INTERNAL` when it is no object, or a part that is an object is none
 */
export function checkedReply(method: string, reply: unknown): unknown {
  const parts = Object.hasOwn(PARTS, method) ? PARTS[method] : undefined;
  if (parts === undefined || (isRecord(reply) && parts.every((part) => isRecord(reply[part])))) return reply;
  throw new RcwRuntimeError('INTERNAL', `The reply of the runtime is not what ${method} answers. Check what is in the room.`);
}

export const isSkillDescriptor = (skill: unknown): skill is SkillDescriptor =>
  isRecord(skill) && typeof skill.name === 'string' && typeof skill.description === 'string' && isRecord(skill.input_schema);
