/** `npm run headless` in a terminal. */
import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { errorFacts } from '../common/error-facts.ts';
import { shownId, shownLine } from '../common/shown-text.ts';
import { thrownCode, thrownText } from '../control-service/thrown.ts';
import { opensPlaceOf } from '../headless/follow-link.ts';
import { type InRoomOptions, type RobotInRoom, startInRoom } from '../headless/in-room.ts';
import { requireBrowser } from '../headless/pictures/find-browser.ts';
import { openPictures } from '../headless/pictures/pictures.ts';
import { type KeyOfRobot, readRobotKey } from '../headless/robot-key.ts';
import { loadSceneFile, type OwnScene } from '../headless/scene-file.ts';
import { type RobotEnd, robotEndText } from '../protocol/room/robot-end.ts';
import { MAX_SEED } from '../protocol/wire/limits.ts';
import type { Log } from '../worker/log.ts';
import { sweepWorlds } from '../worker/robot/world-file.ts';
import { EXIT } from './exit-codes.ts';
import { readGivenKey } from './given-key.ts';
import { HEADLESS_USAGE, type HeadlessArgs, readHeadlessArgs } from './headless-args.ts';
import { leaveOnce } from './leave-once.ts';
import { readLocalFile } from './local-file.ts';
import { print, printTrouble } from './output.ts';
import { UsageError } from './read-options.ts';
import { processTerminal, releaseStops } from './release-stops.ts';
import { readDataDir } from './service-settings.ts';
import { terminalLog } from './terminal-log.ts';
import { ensureViewerBuilt } from './viewer-build.ts';

/** Regular ends, which are not errors: the robot has nothing left to do here. */
const GOOD_ENDS: readonly RobotEnd[] = ['ended', 'session_deleted', 'room_gone', 'removed', 'taken_over'];
const NO_KEY =
  'There is no robot to be. Give a link or room key, or start a platform in another terminal (npm start) and its robot is taken.';

const robots: RobotInRoom[] = [];
let isLeaving = false;

try {
  const args = readHeadlessArgs(process.argv.slice(2));
  if (args === null) print(HEADLESS_USAGE);
  else process.exit(await work(args));
} catch (error) {
  printTrouble(error);
  process.exit(error instanceof UsageError ? EXIT.wrongUsage : EXIT.couldNotRun);
}

/** @returns the exit code */
async function work(args: HeadlessArgs): Promise<number> {
  const log = terminalLog(args.logAs);
  // After a second Ctrl-C, the SFU detects the lost participants.
  leaveOnce(() => leave(log), EXIT.couldNotRun);
  const fault = (thrown: unknown): void => log({ level: 'error', event: 'fault', ...errorFacts(thrown) });
  process.on('unhandledRejection', fault);
  process.on('uncaughtException', (thrown) => {
    fault(thrown);
    process.exit(EXIT.couldNotRun);
  });
  if (args.pictures) {
    requireBrowser();
    // Its cameras are those of the page.
    await ensureViewerBuilt((message) => log({ level: 'info', event: 'page_build', message }));
  }
  const pictures = args.pictures ? openPictures() : null;
  const dataDir = readDataDir(process.env);
  const worldsDir = join(dataDir, 'worlds');
  const keys = await keysOf(args, dataDir);
  if (args.releaseStops) await releaseStops(worldsDir, processTerminal(), Date.now(), log);
  await sweepWorlds(worldsDir, Date.now()).catch((thrown) =>
    log({ level: 'warn', event: 'worlds_not_swept', ...errorFacts(thrown) }),
  );
  const { modelId, takesOver, isFresh } = args;
  const seed = args.seed ?? randomInt(MAX_SEED + 1);
  const { scene } = args;
  const first = scene === null ? { sceneId: null } : 'id' in scene ? { sceneId: scene.id } : await readScene(scene.file);
  log({ level: 'info', event: 'headless', robots: keys.length, robot: modelId, scene: first.sceneId, seed });
  // A restarted platform writes the next link there.
  const localLink = (): string | null => readLocalFile(dataDir).room_key_url ?? null;
  const order = { modelId, ...first, seed, takesOver, isFresh, worldsDir, pictures, log };
  const ends = await Promise.all(
    keys.map((key) =>
      serve({ ...order, key, newestLink: opensPlaceOf(key, localLink(), Date.now()) ? localLink : null }).catch(
        (thrown): null => {
          const { robotId, room } = key.place;
          log({ level: 'error', event: 'robot_not_started', robot_id: robotId, room, message: thrownText(thrown) });
          return null;
        },
      ),
    ),
  );
  await pictures?.close();
  return ends.every((end) => end !== null && GOOD_ENDS.includes(end)) ? EXIT.good : EXIT.couldNotRun;
}

/** Runs one robot until it ends. @throws Error if it cannot start */
async function serve(order: InRoomOptions): Promise<RobotEnd> {
  const { room, robotId } = order.key.place;
  const { log } = order;
  const robot = await startInRoom(order);
  robots.push(robot);
  if (isLeaving) void robot.end();
  const end = await robot.over;
  const level = GOOD_ENDS.includes(end) ? 'info' : 'error';
  log({ level, event: 'robot_over', robot_id: robotId, room, why: end, message: robotEndText(end, 'simulator') });
  return end;
}

/** Reads a scene file. @throws UsageError with what is wrong with it */
async function readScene(file: string): Promise<OwnScene> {
  try {
    return await loadSceneFile(file);
  } catch (thrown) {
    throw new UsageError(`${shownLine(file)}: ${thrownCode(thrown) ?? thrownText(thrown)}`);
  }
}

/** Returns the robots to run. @throws Error for a key that opens no robot, UsageError if one robot is named twice */
async function keysOf({ keys, keyFromStdin }: HeadlessArgs, dataDir: string): Promise<KeyOfRobot[]> {
  const given = [...keys, ...(keyFromStdin ? [await readGivenKey(process.stdin)] : [])];
  const fallback = process.env.SIMPLESIM_ROOM_KEY || readLocalFile(dataDir).room_key_url;
  if (given.length === 0 && fallback) given.push(fallback);
  if (given.length === 0) throw new UsageError(NO_KEY);
  const read = given.map((one) => readRobotKey(one, Date.now()));
  const twice = read.find(({ place }, at) => read.findIndex((other) => other.place.room === place.room) < at);
  if (twice) throw new UsageError(`The robot ${shownId(twice.place.robotId)} is named twice.`);
  return read;
}

async function leave(log: Log): Promise<void> {
  isLeaving = true;
  log({ level: 'info', event: 'stopping', message: 'Every robot stops and leaves its room.' });
  // Until the first robot has joined, there is nothing to stop.
  if (robots.length === 0) process.exit(EXIT.good);
  await Promise.all(robots.map((robot) => robot.end()));
}
