import type { TaskFile } from '../../src/protocol/files/task-file.ts';
import { createRun, type Run } from '../../src/tasks/recorded-run.ts';
import { createSteppedRobot, type SteppedRobot } from './stepped-robot.ts';

/** A robot whose run is judged by a task. */
export interface TaskRobot {
  robot: SteppedRobot;
  run: Run;
}

/** Creates the robot in the world of a task. */
export async function createTaskRobot(task: TaskFile, seed: number): Promise<TaskRobot> {
  let run: Run | null = null;
  const robot = await createSteppedRobot(seed, task.scene, ({ newActionId: _newId, refuseSkill: _refuse, ...deps }) => {
    const made = createRun({ ...deps, task });
    run = made;
    return { runtime: made.runtime, body: () => made.world().base.rigidBody };
  });
  if (run === null) throw new Error('The run was not created.');
  return { robot, run };
}
