import type { Engine } from '../types.ts';
import { taskById } from './task-list.ts';

/** Opens the task of this id for the robot of this tab, or a robot without one where there is no such task. */
export function openTask(engine: Engine, taskId: string, seed: number): void {
  const file = taskById(taskId);
  if (file) engine.tasks?.play(file, seed);
  else engine.tryHere();
}
