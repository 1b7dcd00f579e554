import { parsePayload } from '../protocol/json.ts';
import { isRecord } from '../protocol/schema-words.ts';
import { SKILLS_NOT_IN_TASKS } from '../protocol/task-texts.ts';
import type { RuntimeCall } from '../runtime/runtime-call.ts';

/** Returns the skill of a call that would put another world in the place of the judged one; null for every other call. */
export function refusedInTask({ method, payload }: Pick<RuntimeCall, 'method' | 'payload'>): string | null {
  if (method !== 'runtime.tools_call') return null;
  const named = SKILLS_NOT_IN_TASKS.filter((skill) => payload.includes(skill));
  if (named.length === 0) return null;
  const read = parsePayload(payload);
  const name = read.ok && isRecord(read.value) ? read.value.name : null;
  return named.find((skill) => skill === name) ?? null;
}
