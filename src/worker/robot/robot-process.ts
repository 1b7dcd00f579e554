/**
 * The process of one robot: its room and its body. A robot has its own process, so that a failure of one (a stall, a fault of
 * native code, memory) does not reach the others. The worker commands it over the channel of `fork`, so that no token is in its
 * arguments or its environment. Without that channel it exits.
 */

import { errorFacts } from '../../common/error-facts.ts';
import type { RobotEnd } from '../../protocol/room/robot-end.ts';
import type { LogEntry } from '../log.ts';
import type { FreshKey, FromRobot, RobotOrder, ToRobot } from '../robot-messages.ts';
import { type LiveRobot, startLiveRobot } from './live-robot.ts';
import { atMost } from './wait.ts';

const FRESH_KEY_MAX_MS = 5_000;
/** Time for the last message: the channel has accepted it by then. */
const FLUSH_MAX_MS = 1_000;

let robotId = '';
let robot: LiveRobot | null = null;
let ending = false;
let onKey: ((key: FreshKey | null) => void) | null = null;

process.on('message', (message: ToRobot) => {
  switch (message.kind) {
    case 'start':
      start(message.order);
      break;
    case 'key':
      onKey?.(message.key);
      break;
    case 'nudge':
      robot?.nudge();
      break;
    case 'end':
      void end('ended');
      break;
  }
});
// A signal to the whole process group also reaches the robot. It then ends in order, as it does when the worker has exited.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void end('ended'));
process.on('disconnect', () => void end('ended'));
process.on('unhandledRejection', (thrown) => log({ level: 'error', event: 'robot_process_fault', ...errorFacts(thrown) }));
process.on('uncaughtException', (thrown) => {
  log({ level: 'error', event: 'robot_process_fault', ...errorFacts(thrown) });
  void end('broken');
});

function start(order: RobotOrder): void {
  if (robot) return;
  robotId = order.place.robotId;
  robot = startLiveRobot(order, { onJoined: () => void report({ kind: 'joined' }), freshKey, log });
  void robot.over.then((why) => void leave(why));
}

async function end(why: RobotEnd): Promise<void> {
  if (robot) await robot.end(why);
  else await leave(why);
}

/** Reports that it is over, and ends the process. */
async function leave(why: RobotEnd): Promise<void> {
  if (ending) return;
  ending = true;
  await atMost(report({ kind: 'over', end: why }), FLUSH_MAX_MS);
  process.exit(why === 'broken' ? 1 : 0);
}

async function freshKey(): Promise<FreshKey | null> {
  const answer = new Promise<FreshKey | null>((resolve) => {
    onKey = resolve;
  });
  await report({ kind: 'key-wanted' });
  return atMost(answer, FRESH_KEY_MAX_MS);
}

function log(entry: LogEntry): void {
  void report({ kind: 'log', entry: robotId === '' ? entry : { ...entry, robot_id: robotId } });
}

/** Settles when the channel has the message, or is closed. */
function report(message: FromRobot): Promise<void> {
  return new Promise((resolve) => {
    if (!process.connected || !process.send) return resolve();
    process.send(message, () => resolve());
  });
}
