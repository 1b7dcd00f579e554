import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { shownId } from '../../common/shown-text.ts';
import type { AgentWorld } from '../../headless/agent-robot.ts';
import { readTaskFiles } from '../../headless/eval/task-files.ts';
import { didYouMean } from '../../headless/near-miss.ts';
import { readBounded } from '../../headless/read-bounded.ts';
import { type OwnScene, readOwnScene } from '../../headless/scene-file.ts';
import { SCENE_LIMITS } from '../../protocol/files/scene-limits.ts';
import type { TaskFile } from '../../protocol/files/task-file.ts';
import { unknownScene } from '../../protocol/texts/headless-texts.ts';
import type { RobotId } from '../../protocol/wire/robot.ts';
import { isSceneId, START_SCENE_ID } from '../../protocol/wire/scene-ids.ts';
import { PROJECT_DIR } from '../installation.ts';

const TASKS_DIR = join(PROJECT_DIR, 'tasks');

/** A requested world. */
export interface WantedWorld {
  modelId: RobotId;
  /** The id of a scene, or the path of a scene file. */
  scene: string | null;
  /** The id of a task, or the path of a task file. */
  task: string | null;
  seed: number;
}

/**
 * Reads task and scene of a world.
 * @throws Error with a sentence for an unknown id and for a file with problems
 */
export async function readWorld({ modelId, scene, task: wanted, seed }: WantedWorld): Promise<AgentWorld> {
  const sceneFile = scene?.endsWith('.json') ? await readBounded(scene, SCENE_LIMITS.bytes) : null;
  const ownScene = sceneFile === null ? null : readOwnScene(sceneFile);
  const task = wanted === null ? null : await readTask(wanted, modelId, ownScene?.scenes);
  const sceneId = task?.scene ?? ownScene?.sceneId ?? scene ?? START_SCENE_ID;
  if (ownScene === null && !isSceneId(sceneId)) throw new Error(unknownScene(sceneId));
  return { modelId, sceneId, seed, task, sceneFile };
}

async function readTask(wanted: string, robot: RobotId, scenes?: OwnScene['scenes']): Promise<TaskFile> {
  const path = wanted.endsWith('.json') ? wanted : pathOfTask(wanted);
  const [task] = await readTaskFiles([path], robot, scenes);
  if (!task) throw new Error(`The task ${shownId(wanted)} is not readable.`);
  return task;
}

/** @throws Error for an unknown id, with the nearest one and all others */
function pathOfTask(id: string): string {
  const files = readdirSync(TASKS_DIR, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.json'));
  const idOf = (name: string): string =>
    name
      .replaceAll('\\', '/')
      .replace(/^.*\//, '')
      .replace(/\.json$/, '');
  const file = files.find((name) => idOf(name) === id);
  if (file === undefined) {
    const ids = files.map(idOf).toSorted();
    throw new Error(`There is no task "${shownId(id)}".${didYouMean(id, ids)} There are: ${ids.join(', ')}.`);
  }
  return join(TASKS_DIR, file);
}
