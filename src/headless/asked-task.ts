import type { ProofFile } from '../protocol/files/proof-file.ts';
import type { TaskFile } from '../protocol/files/task-file.ts';
import { canonicalJson } from '../runtime/canonical-json.ts';
import type { Scenes } from '../simulation/scene.ts';
import { sceneSha256 } from '../tasks/scene-hash.ts';

/**
 * Returns why the run of a proof is not one of a requested task; null if it is. A proof contains its task, and a scene that is
 * not built in. Its author can make both easier, and the proof is still true.
 * @param scenes those of the requested tasks
 */
export function whyNotAsked({ task, scene }: ProofFile, asked: readonly TaskFile[], scenes: Scenes): string | null {
  if (task === undefined) return 'it is of a run without a task';
  const own = asked.find(({ id }) => id === task.id);
  if (!own) return `its task ${task.id} is not one of those that --tasks names`;
  const parts = [...new Set([...Object.keys(own), ...Object.keys(task)])] as (keyof TaskFile)[];
  const changed = parts.filter((part) => canonicalJson(own[part] ?? null) !== canonicalJson(task[part] ?? null));
  if (changed.length > 0) return `its task ${task.id} has another ${changed.join(', another ')} than that of --tasks`;
  const known = scenes.byId(scene.id);
  return known !== null && sceneSha256(known) === scene.sha256 ? null : `its scene ${scene.id} is not that of --scenes`;
}
