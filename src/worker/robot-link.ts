import { fork } from 'node:child_process';
import { extname } from 'node:path';
import { createInterface } from 'node:readline';
import type { RobotEnd } from '../protocol/room/robot-end.ts';
import { type Log, withoutTokens } from './log.ts';
import type { FreshKey, FromRobot, RobotOrder, ToRobot } from './robot-messages.ts';

/** A robot in its own process. */
export interface RobotLink {
  /** Process id. */
  readonly pid: number | undefined;
  /** Settles when its process has ended; `broken` when it ended without a message. */
  readonly over: Promise<RobotEnd>;
  nudge(): void;
  /** Stops the robot, leaves the room and ends the process, which is killed if it does not end. Settles with `over`. */
  end(): Promise<void>;
}

export interface RobotLinkDeps {
  onJoined(): void;
  freshKey(): Promise<FreshKey | null>;
  log: Log;
}

/** Stopping, leaving and freeing take a second or two. */
const END_MAX_MS = 6_000;
const LINE_MAX_LENGTH = 500;
/** In the form of this module: compiled, or TypeScript with the loader of this process. */
const PROCESS_FILE = new URL(`./robot/robot-process${extname(import.meta.filename)}`, import.meta.url);

/** Starts the process of a robot. */
export function startRobot(order: RobotOrder, deps: RobotLinkDeps): RobotLink {
  // A robot needs neither the keys of the SFU nor a room key.
  const { LIVEKIT_API_SECRET: _secret, LIVEKIT_API_KEY: _key, RCW_ROOM_KEY: _room, ...env } = process.env;
  const child = fork(PROCESS_FILE, { env, stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
  let said: RobotEnd | null = null;
  const report = (message: ToRobot): void => {
    // If the process is gone, it has ended; `over` reports that.
    if (child.connected) child.send(message, () => undefined);
  };

  child.on('message', (message: FromRobot) => {
    switch (message.kind) {
      case 'log':
        deps.log(message.entry);
        break;
      case 'joined':
        deps.onJoined();
        break;
      case 'key-wanted':
        void deps
          .freshKey()
          .catch(() => null)
          .then((key) => report({ kind: 'key', key }));
        break;
      case 'over':
        said = message.end;
        break;
    }
  });
  if (child.stderr) {
    // The error output of native code that crashes; it may contain a token.
    createInterface({ input: child.stderr }).on('line', (line) =>
      deps.log({
        level: 'warn',
        event: 'robot_says',
        robot_id: order.place.robotId,
        message: withoutTokens(line).slice(0, LINE_MAX_LENGTH),
      }),
    );
  }
  const over = new Promise<RobotEnd>((resolve) => {
    child.on('error', () => resolve(said ?? 'broken'));
    child.on('exit', () => resolve(said ?? 'broken'));
  });
  report({ kind: 'start', order });

  return {
    pid: child.pid,
    over,
    nudge: () => report({ kind: 'nudge' }),
    async end() {
      report({ kind: 'end' });
      const killing = setTimeout(() => child.kill('SIGKILL'), END_MAX_MS);
      await over;
      clearTimeout(killing);
    },
  };
}
