/**
 * The process of one robot: its room and its body. A robot has a process of its own, so that a failure of one (a stall, a fault
 * of native code, memory) does not reach the others. The worker commands it over the channel of `fork`, so that no token is in
 * its arguments or its environment; without that channel it ends.
 */
import { createCallDesk } from '../../protocol/call-desk.ts';
import { rcwIdentity } from '../../protocol/identity.ts';
import { OUT_OF_REACH } from '../../protocol/rcw-texts.ts';
import { errorFacts, type LogEntry } from '../log.ts';
import type { FromRobot, RobotEnd, RobotOrder, ToRobot } from '../robot-messages.ts';
import { readRoomFacts } from '../room-facts.ts';
import { type Body, createBody } from './body.ts';
import { type Membership, openMembership } from './membership.ts';
import { atMost } from './wait.ts';

const FRESH_TOKEN_MAX_MS = 5_000;
/** Time for the last message: the channel has taken it by then. */
const FLUSH_MAX_MS = 1_000;

let robotId = '';
let running: { body: Body; membership: Membership } | null = null;
let ending = false;
let onToken: ((token: string | null) => void) | null = null;

process.on('message', (message: ToRobot) => {
  switch (message.kind) {
    case 'start':
      start(message.order);
      break;
    case 'token':
      onToken?.(message.token);
      break;
    case 'nudge':
      running?.membership.nudge();
      break;
    case 'end':
      void end('ended');
      break;
  }
});
// A signal to the whole process group reaches the robot too; it then ends by itself, as when the worker is gone.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void end('ended'));
process.on('disconnect', () => void end('ended'));
process.on('unhandledRejection', (thrown) => log({ level: 'error', event: 'robot_process_fault', ...errorFacts(thrown) }));
process.on('uncaughtException', (thrown) => {
  log({ level: 'error', event: 'robot_process_fault', ...errorFacts(thrown) });
  void end('broken');
});

function start(order: RobotOrder): void {
  if (running) return;
  const { place } = order;
  robotId = place.robotId;
  const body = createBody(order, log, {
    tell: (event) => running?.membership.sendEvent(event),
    sendWorld: (packets) => running?.membership.sendWorld(packets),
  });
  const membership = openMembership(place, {
    onCall: createCallDesk(
      (call) => body.handle(call),
      () => performance.now(),
    ),
    onMetadata(metadata) {
      const facts = readRoomFacts(metadata);
      body.trust(facts.controlKeys);
      if (facts.emergencyStop) body.press(facts.emergencyStop);
      if (facts.ownerOrder) body.obeyOwner(facts.ownerOrder);
      if (facts.robotId !== null && facts.robotId !== place.robotId) void end('wrong_robot');
    },
    onLeft: (identity) => body.noteLeft(identity),
    onWatchers: (news) => body.watchers(news),
    onReachable: () => body.open(),
    onJoined() {
      tell({ kind: 'joined' });
      log({ level: 'info', event: 'robot_joined', identity: rcwIdentity(place.robotId), room: place.room });
    },
    onLost(why) {
      // Nobody can reach the robot now, so nobody could stop it.
      void body
        .brake(`the worker, ${OUT_OF_REACH[why]}`)
        .then((stands) => log({ level: stands ? 'info' : 'warn', event: 'robot_unreachable', why, stands }));
    },
    freshToken,
    log,
  });
  running = { body, membership };
  void membership.over.then((why) => void end(why));
  body.over.catch((thrown) => {
    log({ level: 'error', event: 'robot_broken', ...errorFacts(thrown) });
    void end('broken');
  });
}

/** 1. stop the robot while it can still answer; 2. keep its world, or forget that of a session that is over; 3. leave the room; 4. free the body; 5. say that it is over. */
async function end(why: RobotEnd): Promise<void> {
  if (ending) return;
  ending = true;
  if (running) {
    const { body, membership } = running;
    const stands = why === 'broken' ? true : await body.brake('the worker, which ends', true);
    log({ level: stands ? 'info' : 'warn', event: 'robot_stopped', stands });
    await (why === 'session_deleted' ? body.forget() : body.keep(why !== 'broken'));
    await membership.leave();
    body.dispose();
    await atMost(
      body.over.catch(() => undefined),
      FLUSH_MAX_MS,
    );
  }
  await atMost(tell({ kind: 'over', end: why }), FLUSH_MAX_MS);
  process.exit(why === 'broken' ? 1 : 0);
}

async function freshToken(): Promise<string | null> {
  const answer = new Promise<string | null>((resolve) => {
    onToken = resolve;
  });
  await tell({ kind: 'token-wanted' });
  return atMost(answer, FRESH_TOKEN_MAX_MS);
}

function log(entry: LogEntry): void {
  void tell({ kind: 'log', entry: robotId === '' ? entry : { ...entry, robot_id: robotId } });
}

/** Settles when the channel has the message, or is closed. */
function tell(message: FromRobot): Promise<void> {
  return new Promise((resolve) => {
    if (!process.connected || !process.send) return resolve();
    process.send(message, () => resolve());
  });
}
