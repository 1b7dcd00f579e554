import type { RobotEnd } from '../../protocol/room/robot-end.ts';
import { STEPS_PER_SECOND } from '../../protocol/wire/limits.ts';
import type { Runtime, RuntimeDeps } from '../../runtime/runtime.ts';
import { createRun } from '../../tasks/recorded-run.ts';
import { startInRoom } from '../in-room.ts';
import type { Pictures } from '../pictures/pictures.ts';
import type { KeyOfRobot } from '../robot-key.ts';
import { scenesWith } from '../scene-file.ts';
import type { PlannedRun } from './run-record.ts';
import { type WatchedRun, watchRun } from './watched-run.ts';

/** A robot in a room whose run is recorded and judged. */
export interface JudgedRobot {
  /** Settles when it is in its room and takes calls; rejects when it ends before. */
  readonly ready: Promise<void>;
  /** The run; null before the robot is ready. */
  run(): WatchedRun | null;
  /** Why it has left its room; null while it has not. */
  left(): RobotEnd | null;
  /** Whether a participant has called it. */
  wasCalled(): boolean;
  /** Continues the world of a robot that has left, so that moved things come to rest, until the judge has decided or this time is over. */
  settle(simulatedS: number): void;
  /** Stops the robot, leaves the room and frees the world. */
  end(): Promise<void>;
}

/**
 * Starts the robot of a run in its room. Its time begins with the first call of the agent: starting a program takes longer
 * than many tasks, and does not count against the agent.
 */
export async function startJudgedRobot(
  key: KeyOfRobot,
  { task, seed, robot, sceneFile }: PlannedRun,
  pictures: Pictures | null,
): Promise<JudgedRobot> {
  let run: WatchedRun | null = null;
  let left: RobotEnd | null = null;
  let wasCalled = false;
  let steppedAtMs = 0;
  let hasJoined = false;
  let noteReady = (): void => undefined;
  let noteLost = (_error: Error): void => undefined;
  const ready = new Promise<void>((resolve, reject) => {
    noteReady = resolve;
    noteLost = reject;
  });
  // The waiting code gets the failure; without any it is not a fault.
  ready.catch(() => undefined);

  function makeRuntime(deps: RuntimeDeps): Runtime {
    try {
      run = watchRun(createRun({ ...deps, task, ...(sceneFile === null ? {} : { sceneFile }) }));
      return forBody(run.runtime);
    } catch (thrown) {
      noteLost(thrown instanceof Error ? thrown : new Error(String(thrown)));
      throw thrown;
    }
  }

  /** Its world outlives the body, as it is judged afterwards. */
  function forBody(runtime: Runtime): Runtime {
    return {
      ...runtime,
      handle(call, reply) {
        wasCalled ||= call.callerIdentity !== null;
        runtime.handle(call, reply);
      },
      step(nowMs) {
        steppedAtMs = nowMs;
        if (wasCalled) runtime.step(nowMs);
      },
      dispose: () => undefined,
    };
  }

  const inRoom = await startInRoom({
    key,
    modelId: robot,
    scenes: scenesWith(sceneFile),
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
    left = why;
    noteLost(new Error(`The robot of this run left its room before it was ready (${why}).`));
  });

  return {
    ready,
    run: () => run,
    left: () => left,
    wasCalled: () => wasCalled,
    settle(simulatedS) {
      if (run === null || !wasCalled) return;
      // On the run's own clock: the time since the robot left does not count in its world.
      for (let steps = 1; steps <= simulatedS * STEPS_PER_SECOND && run.decided() === null; steps += 1)
        run.runtime.step(steppedAtMs + (steps * 1_000) / STEPS_PER_SECOND);
    },
    async end() {
      await inRoom.end();
      run?.runtime.dispose();
      run = null;
    },
  };
}
