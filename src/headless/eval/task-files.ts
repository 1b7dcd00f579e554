import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { shownLine } from '../../common/shown-text.ts';
import { SCENE_FORMAT } from '../../protocol/files/scene-file.ts';
import { TASK_MAX_BYTES, type TaskFile } from '../../protocol/files/task-file.ts';
import { DEFAULT_ROBOT_ID, type RobotId } from '../../protocol/wire/robot.ts';
import { Scenes } from '../../simulation/scene.ts';
import { readTask, robotProblem, type TaskProblem } from '../../tasks/task-reader.ts';
import { readBounded, unreadable } from '../read-bounded.ts';
import { matchingPaths } from './matching-paths.ts';

/** One problem of a task file, for people: the file, the place in it, the reason. */
class TaskFileError extends Error {}

/**
 * Reads task files.
 * @param robot null: whichever
 * @param scenes those in which the tasks may be
 * @throws TaskFileError with every problem of every file, a line each; for two files with one task, and for a task that this robot cannot do
 */
export async function readTaskFiles(
  paths: readonly string[],
  robot: RobotId | null = DEFAULT_ROBOT_ID,
  scenes = new Scenes(),
): Promise<TaskFile[]> {
  const tasks: TaskFile[] = [];
  const problems: string[] = [];
  for (const path of paths) {
    const read = await readOne(path, scenes);
    if ('problems' in read) problems.push(...read.problems);
    else if (tasks.some(({ id }) => id === read.task.id)) problems.push(`${path}: the task "${read.task.id}" was named already.`);
    else tasks.push(read.task);
    const wrongRobot = 'task' in read && robot !== null ? robotProblem(read.task, robot) : null;
    if (wrongRobot !== null) problems.push(`${path}: ${wrongRobot}`);
  }
  if (problems.length > 0) throw new TaskFileError(problems.map(shownLine).join('\n'));
  return tasks;
}

/** Returns the task files that are meant: a file itself, what matches a pattern, of a folder all in it and in its folders that end in `.json`. @throws Error when there is none */
export async function taskFilesIn(paths: readonly string[]): Promise<string[]> {
  const found = await Promise.all(
    (await matchingPaths(paths)).map(async (path) => {
      const isFolder = await stat(path).then(
        (one) => one.isDirectory(),
        () => false,
      );
      // The reader of a missing file reports it.
      if (!isFolder) return [path];
      const names = (await readdir(path, { recursive: true })).filter((name) => name.endsWith('.json'));
      if (names.length === 0) throw new TaskFileError(`${shownLine(path)}: no file in this folder ends in .json.`);
      return names.sort().map((name) => join(path, name));
    }),
  );
  return found.flat();
}

async function readOne(path: string, scenes: Scenes): Promise<{ task: TaskFile } | { problems: string[] }> {
  try {
    const text = await readBounded(path, TASK_MAX_BYTES);
    const read = readTask(text, scenes);
    if (read.ok) return { task: read.task };
    if (isSceneFile(text)) return { problems: [`${path}: it is a scene, no task. Name it with --scenes.`] };
    return { problems: read.problems.map((problem) => `${path}${problemText(problem)}`) };
  } catch (thrown) {
    return { problems: [unreadable(path, thrown)] };
  }
}

function problemText({ path, reason }: TaskProblem): string {
  if (path === '') return `: ${reason}`;
  return `, ${path}: ${reason}${path === 'scene' ? ' Bring the file of your own with --scenes.' : ''}`;
}

/** Whether a file that is not a task declares itself a scene. */
function isSceneFile(text: string): boolean {
  try {
    return (JSON.parse(text) as { format?: unknown } | null)?.format === SCENE_FORMAT;
  } catch {
    return false;
  }
}
