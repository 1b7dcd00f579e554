import { type RobotInRoom, startInRoom } from '../../src/headless/in-room.ts';
import { readRobotKey } from '../../src/headless/robot-key.ts';

/** Starts the robot of a link in this process, with seed 1 and without cameras. Settles when it is ready. */
export async function startReadyRobot(link: string): Promise<RobotInRoom> {
  let becomeReady = (): void => {};
  const isReady = new Promise<void>((resolve) => {
    becomeReady = resolve;
  });
  const robot = await startInRoom({
    key: readRobotKey(link, Date.now()),
    modelId: 'humanoid',
    sceneId: null,
    seed: 1,
    worldsDir: null,
    isFresh: true,
    takesOver: false,
    log: ({ event }) => event === 'robot_ready' && becomeReady(),
  });
  await isReady;
  return robot;
}
