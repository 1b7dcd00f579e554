import { setTimeout as sleep } from 'node:timers/promises';
import type { RobotAccess, SkillReply } from '../../agent-tools/robot-access.ts';
import { type ActionResult, type ControlLease, type PlatformSession, RcwRuntimeError } from '../../client/index.ts';
import { isRecord } from '../../common/schema-texts.ts';
import { type ControlRequest, DRIVER_SILENT_MS } from '../../protocol/wire/driver.ts';
import { profileOfIdentity } from '../../protocol/wire/identity.ts';
import type { RuntimeProfile } from '../../protocol/wire/profile.ts';
import { type RoomConnection, sentenceOf } from './room-connection.ts';

/** An action ends at its deadline in simulated time, which may pass slowly; a robot that reloads continues it. */
const INVOKE_MAX_MS = 300_000;
const STOP_MAX_MS = 10_000;
const READ_MAX_MS = 5_000;
/** How long the first read waits, before it is known whether the robot answers. */
const FIRST_READ_MS = 1_000;
/** How long a read waits for a robot that did not answer last time, or was loading: the status must not wait for it. */
const LATE_READ_MS = 80;
const PICTURE_MAX_MS = 30_000;
/** A request for the robot stays open this long. */
const ASK_MAX_MS = 600_000;
/** How long a tool waits for the driver's answer to a request. */
const ASK_ANSWER_MS = 1_500;

const ABSENT = 'The robot is not in its room. Ask a person to open its page, or to start it with "npm run headless".';
const NO_ANSWER_YET = 'The robot does not answer yet: it is loading, or its machine is busy.';

/** A reply of the runtime, or the refusal in its form. */
type Reply = { status?: unknown } & Record<string, unknown>;

/** Returns the access of an agent to the robot of a room, over the client library. */
export function createRoomRobot(room: RoomConnection): RobotAccess {
  let readiness: 'unknown' | 'ready' | 'late' = 'unknown';
  let lastNotReady = NO_ANSWER_YET;
  let known: PlatformSession | null = null;
  let lease: ControlLease | null = null;
  let asking: { over: AbortController; settled: Promise<Reply> } | null = null;

  /** @throws Error with a sentence while the room is not joined */
  function joined(): PlatformSession {
    const session = room.session();
    if (session === null) throw new Error(room.problem());
    if (session !== known) readiness = 'unknown';
    known = session;
    return session;
  }

  function noteAnswer(reply: unknown): void {
    const error = isRecord(reply) && reply.status === 'failed' && isRecord(reply.error) ? reply.error : null;
    readiness = error?.code === 'NOT_READY' ? 'late' : 'ready';
    if (error?.code === 'NOT_READY') lastNotReady = String(error.message);
  }

  /** Returns who drives, in the form of a reply to `runtime.control`. */
  async function whoDrives(session: PlatformSession): Promise<Reply> {
    const driver = await session.driver({ timeoutMs: READ_MAX_MS });
    const youDrive = driver !== null && driver.identity === session.identity;
    return { status: 'done', result: { driver, you_drive: youDrive, renew_within_ms: DRIVER_SILENT_MS.simulator } };
  }

  /** Asks for the robot until the driver gives it. The request continues after the tool has replied. */
  function ask(session: PlatformSession, { name, kind }: ControlRequest): Promise<Reply> {
    if (asking === null) {
      const over = new AbortController();
      const settled = replyOf(async () => {
        lease = await session.askForControl({ name, kind, timeoutMs: ASK_MAX_MS, signal: over.signal });
        return whoDrives(session);
      })
        .catch(() => whoDrives(session))
        .finally(() => {
          asking = null;
        });
      settled.catch(() => undefined);
      asking = { over, settled };
    }
    return asking.settled;
  }

  async function change(session: PlatformSession, request: ControlRequest): Promise<Reply> {
    const { action, name, kind, to } = request;
    switch (action) {
      case 'take':
        lease = await session.takeControl({ name, kind, timeoutMs: STOP_MAX_MS });
        break;
      case 'ask': {
        const answer = await Promise.race([ask(session, request), sleep(ASK_ANSWER_MS, null)]);
        if (answer !== null) return answer;
        break;
      }
      case 'give':
        if (!lease?.isHeld) return refusal('NOT_CONTROLLER', 'You do not drive the robot, so you cannot give it to another.');
        await lease.give(to);
        break;
      case 'release':
        asking?.over.abort();
        await lease?.release();
        break;
      case 'renew':
        // The lease renews itself.
        break;
    }
    return whoDrives(session);
  }

  return {
    get profile() {
      return profileOf(room.session() ?? known);
    },
    get identity() {
      return (room.session() ?? known)?.identity ?? undefined;
    },
    async invoke(skill, input, { actionId, deadlineS }) {
      const session = joined();
      if (session.runtimeIdentity === null) return refusal('ROBOT_ABSENT', ABSENT);
      const isStop = skill === 'cancel' || skill === 'stop';
      const options = { actionId, deadlineS, timeoutMs: isStop ? STOP_MAX_MS : INVOKE_MAX_MS };
      return plain(async () => skillReply(await session.tryInvoke<string>(skill, { ...input }, options)));
    },
    async read(method, payload = {}) {
      const session = joined();
      if (session.runtimeIdentity === null) return refusal('ROBOT_ABSENT', ABSENT);
      const asked = replyOf(() => session.call(method, payload, { timeoutMs: READ_MAX_MS }));
      asked.then(noteAnswer, () => {
        readiness = 'late';
      });
      const waitMs = { unknown: FIRST_READ_MS, ready: READ_MAX_MS, late: LATE_READ_MS }[readiness];
      const reply = await Promise.race([asked, sleep(waitMs, null)]);
      if (reply !== null) return reply;
      readiness = 'late';
      return refusal('NOT_READY', lastNotReady);
    },
    async cancel(actionId) {
      const session = joined();
      return replyOf(() => session.cancelAction(actionId, { timeoutMs: READ_MAX_MS }));
    },
    async control(request) {
      const session = joined();
      return replyOf(() => change(session, request));
    },
    async takePicture(camera, { widthPx: width, heightPx: height, quality }) {
      const session = joined();
      let jpeg: Uint8Array | null = null;
      const reply = await replyOf(async () => {
        const options = { width, height, quality, annotations: ['boxes'] as const, timeoutMs: PICTURE_MAX_MS };
        const vision = await session.getVision(camera, options);
        ({ jpeg } = vision);
        return { status: 'done', result: { frame: vision.frame, entities: vision.entities ?? [] } };
      });
      return { reply, jpeg };
    },
  };
}

/** Whether the robot in a room keeps the physical robot's contract, by its name, or by what the service expects. */
export function profileOf(session: PlatformSession | null): RuntimeProfile {
  if (session === null) return 'simulator';
  const { runtimeIdentity, roomMetadata } = session;
  if (runtimeIdentity !== null) return profileOfIdentity(runtimeIdentity) ?? 'simulator';
  const isWorker = (name: string): boolean => profileOfIdentity(name) === 'worker';
  return Object.keys(roomMetadata.required_participants).some(isWorker) ? 'worker' : 'simulator';
}

function skillReply({ status, result, error, meta: { action_id: actionId, note, degraded } }: ActionResult): SkillReply {
  const meta = { action_id: actionId, ...(note === undefined ? {} : { note }), ...(degraded ? { degraded } : {}) };
  if (!error) return { status, result: result ?? {}, meta };
  return { status, error: { code: error.code, message: error.message, details: { ...error.details } }, meta };
}

const refusal = (code: string, message: string): SkillReply & Reply => ({
  status: 'failed',
  error: { code, message, details: { attempted: false, world_changed: 'no' } },
});

/** Returns the reply of a call, or its refusal as a reply. @throws Error with a sentence if the outcome is unknown */
async function replyOf<T>(call: () => Promise<T>): Promise<T | (SkillReply & Reply)> {
  return plain(async () => {
    try {
      return await call();
    } catch (thrown) {
      if (!(thrown instanceof RcwRuntimeError)) throw thrown;
      const { code, runtimeMessage: message, details } = thrown;
      return { status: 'failed' as const, error: { code, message, details } };
    }
  });
}

/** @throws Error with a sentence that contains no credential */
async function plain<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (thrown) {
    throw new Error(sentenceOf(thrown));
  }
}
