import type { Runtime, RuntimeDeps } from '../../runtime/runtime.ts';
import { createRun } from '../../tasks/recorded-run.ts';
import { startInRoom } from '../in-room.ts';
import type { Pictures } from '../pictures/pictures.ts';
import type { KeyOfRobot } from '../robot-key.ts';
import type { PlannedRun } from './run-record.ts';
import { type WatchedRun, watchRun } from './watched-run.ts';

/** A robot in a room whose run is recorded and judged. */
export interface JudgedRobot {
  /** Settles when it is in its room and takes calls; rejects when it ends before. */
  readonly ready: Promise<void>;
  /** The run; null before the robot is ready. */
  run(): WatchedRun | null;
  /** Has it left its room? */
  isOver(): boolean;
  /** Stops the robot, leaves the room and frees the world. */
  end(): Promise<void>;
}

/**
 * Starts the robot of a run in its room. Its time begins with the first call of the agent: to start a program takes longer than
 * many a task, and is no fault of the agent's.
 */
export async function startJudgedRobot(
  key: KeyOfRobot,
  { task, seed, robot, sceneFile }: PlannedRun,
  pictures: Pictures | null,
): Promise<JudgedRobot> {
  let run: WatchedRun | null = null;
  let isOver = false;
  let hasJoined = false;
  let noteReady = (): void => undefined;
  let noteLost = (_error: Error): void => undefined;
  const ready = new Promise<void>((resolve, reject) => {
    noteReady = resolve;
    noteLost = reject;
  });
  // Whoever waits is told; with nobody it is no fault.
  ready.catch(() => undefined);

  function makeRuntime(deps: RuntimeDeps): Runtime {
    try {
      run = watchRun(createRun({ ...deps, task, ...(sceneFile === null ? {} : { sceneFile }) }));
      return sinceFirstCall(run.runtime);
    } catch (thrown) {
      noteLost(thrown instanceof Error ? thrown : new Error(String(thrown)));
      throw thrown;
    }
  }

  const inRoom = await startInRoom({
    key,
    modelId: robot,
    sceneId: task.scene,
    seed,
    worldsDir: null,
    isFresh: true,
    takesOver: true,
    makeRuntime,
    pictures,
    log({ event }) {
      if (event === 'robot_joined') hasJoined = true;
      if (hasJoined && run !== null) noteReady();
    },
  });
  void inRoom.over.then((why) => {
    isOver = true;
    noteLost(new Error(`The robot of this run left its room before it was ready (${why}).`));
  });
  return { ready, run: () => run, isOver: () => isOver, end: () => inRoom.end() };
}

/** A runtime whose steps begin with the first call that a participant of the room makes. */
function sinceFirstCall(runtime: Runtime): Runtime {
  let hasBegun = false;
  return {
    ...runtime,
    handle(call, reply) {
      hasBegun ||= call.callerIdentity !== null;
      runtime.handle(call, reply);
    },
    step(nowMs) {
      if (hasBegun) runtime.step(nowMs);
    },
  };
}
