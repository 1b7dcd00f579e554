import { listed, shownId } from '../common/shown-text.ts';
import { parseFileText } from '../protocol/files/file-text.ts';
import { TASK_MAX_BYTES, TASK_MAX_DEPTH, TASK_MAX_VALUES, type TaskFile, taskFileSchema } from '../protocol/files/task-file.ts';
import { utf8Bytes } from '../protocol/wire/json.ts';
import { tooIntricate } from '../protocol/wire/json-scan.ts';
import { isRobotId } from '../protocol/wire/robot.ts';
import { validate } from '../runtime/input-problems.ts';
import { Scenes } from '../simulation/scene.ts';
import { meaningProblems, type TaskProblem } from './task-meaning.ts';

export type { TaskProblem } from './task-meaning.ts';

const TASK_FILE_LIMITS = { bytes: TASK_MAX_BYTES, values: TASK_MAX_VALUES, depth: TASK_MAX_DEPTH };

export type ReadTask = { ok: true; task: TaskFile } | { ok: false; problems: TaskProblem[] };

/**
 * Reads a task from the text of its file: all of it, or the problems with path, reason and what would be right. Never throws.
 * @param scenes those in which the task may be
 */
export function readTask(text: string, scenes = new Scenes()): ReadTask {
  const bytes = text.length > TASK_MAX_BYTES ? text.length : utf8Bytes(text);
  if (bytes > TASK_MAX_BYTES) return refused(`The task has ${bytes} bytes; at most ${TASK_MAX_BYTES} are read.`);
  const intricate = tooIntricate(text, { what: 'The task', depth: TASK_MAX_DEPTH, values: TASK_MAX_VALUES });
  if (intricate !== null) return refused(intricate);
  const parsed = parseFileText(text, TASK_FILE_LIMITS);
  if (parsed.ok) return readTaskValue(parsed.value, scenes);
  const { path, reason } = parsed.problem;
  if (path !== '') return { ok: false, problems: [{ path, reason: `"${path}" ${reason}` }] };
  return refused(`The task ${reason} It is one object as docs/schemas/task.schema.json describes.`);
}

/** Reads a task from a value of JSON that is as small as `readTask` demands. */
export function readTaskValue(value: unknown, scenes = new Scenes()): ReadTask {
  const read = validate(taskFileSchema, value);
  if (!read.ok) {
    const { message, details } = read.error;
    return { ok: false, problems: [{ path: typeof details.path === 'string' ? details.path : '', reason: message }] };
  }
  const task = read.value;
  const scene = scenes.byId(task.scene);
  if (scene === null) {
    return {
      ok: false,
      problems: [{ path: 'scene', reason: `There is no scene "${shownId(task.scene)}". There are: ${scenes.ids().join(', ')}.` }],
    };
  }
  const problems = meaningProblems(task, scene);
  return problems.length > 0 ? { ok: false, problems } : { ok: true, task };
}

/** Returns why a robot cannot do a task; null if it can. */
export function robotProblem({ robots, id }: TaskFile, robot: string): string | null {
  if (!isRobotId(robot)) return `There is no robot "${shownId(robot)}".`;
  if (robots === undefined || robots.includes(robot)) return null;
  return `The task ${id} is for ${listed(robots)}, not for ${robot}.`;
}

const refused = (reason: string): ReadTask => ({ ok: false, problems: [{ path: '', reason }] });
