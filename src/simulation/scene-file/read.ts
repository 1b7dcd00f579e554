import { parseFileText } from '../../protocol/files/file-text.ts';
import { sceneFileSchema } from '../../protocol/files/scene-file.ts';
import { SCENE_LIMITS } from '../../protocol/files/scene-limits.ts';
import type { SceneProblem } from '../../protocol/wire/scene-outcome.ts';
import { findingsIn } from '../../protocol/wire/schema-findings.ts';
import type { SceneDefinition } from '../scene-definition.ts';
import { definitionOf } from './definition-of.ts';
import { meaningProblems } from './meaning.ts';

export type SceneRead = { ok: true; definition: SceneDefinition } | { ok: false; problems: readonly SceneProblem[] };

/** More problems than this do not help; the first ones are reported. */
const MOST_PROBLEMS = 20;

const refused = (...problems: SceneProblem[]): SceneRead => ({ ok: false, problems: problems.slice(0, MOST_PROBLEMS) });

/**
 * Reads a scene file: its text, then the shape of every part, then what it means in the world. Nothing is registered here.
 * @param file its text, or a value that stands inline in another file
 * @returns the scene, or at least one problem, each with the path of what is wrong and what would be right. Never throws.
 */
export function readSceneFile(file: unknown): SceneRead {
  const text = typeof file === 'string' ? file : textOf(file);
  if (text === null) return refused({ path: '', reason: 'is not data that JSON can hold; send a scene as JSON.' });
  const parsed = parseFileText(text, SCENE_LIMITS);
  if (!parsed.ok) return refused(parsed.problem);
  const checked = sceneFileSchema.safeParse(parsed.value);
  if (!checked.success) {
    const { found } = findingsIn(sceneFileSchema, checked.error.issues, parsed.value);
    // A reason about an unknown property names it, after its owner.
    return refused(...found.map(({ subject, reason }) => ({ path: subject, reason })));
  }
  const definition = definitionOf(checked.data);
  const problems = meaningProblems(checked.data, definition);
  return problems.length > 0 ? refused(...problems) : { ok: true, definition };
}

function textOf(value: unknown): string | null {
  try {
    return JSON.stringify(value) ?? null;
  } catch {
    return null;
  }
}
