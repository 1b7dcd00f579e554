import type { TaskFile } from '../../../protocol/files/task-file.ts';

/** The built-in tasks; `tests/tasks` checks each against its schema. Loaded when a person asks for a task. */
const FILES = import.meta.glob<TaskFile>('../../../../tasks/*/*.json', { eager: true, import: 'default' });

/** The seed with which a person begins a task; **Another layout** takes the next ones. */
export const FIRST_SEED = 1;

/** The difficulty of a task: each level allows more actions than the previous one. */
export const LEVELS = [
  { title: 'First steps', callsAbove: 0 },
  { title: 'With some planning', callsAbove: 20 },
  { title: 'For an afternoon', callsAbove: 40 },
] as const;
export type Level = (typeof LEVELS)[number];

/** In order of difficulty: harder tasks have larger budgets. */
export const TASKS: readonly TaskFile[] = Object.keys(FILES)
  .sort()
  .flatMap((path) => FILES[path] ?? [])
  .sort(({ budgets: one }, { budgets: other }) => one.calls - other.calls || one.simulated_s - other.simulated_s);

/** Returns the difficulty of a task. */
export const levelOf = ({ budgets }: TaskFile): Level =>
  LEVELS.findLast(({ callsAbove }) => budgets.calls > callsAbove) ?? LEVELS[0];

/** Returns the task of this id, or null. */
export const taskById = (id: string): TaskFile | null => TASKS.find((task) => task.id === id) ?? null;

/** Returns the next unsolved task after this one, in order of difficulty; null when all are solved. */
export function nextTask(id: string, solved: ReadonlySet<string>): TaskFile | null {
  const at = TASKS.findIndex((task) => task.id === id);
  const following = [...TASKS.slice(at + 1), ...TASKS.slice(0, Math.max(at, 0))];
  return following.find((task) => !solved.has(task.id)) ?? null;
}
