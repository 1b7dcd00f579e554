import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { ProofSize } from '../../scripts/docs/proof-catalogue.ts';
import { isAlive } from '../../src/control-service/process-lock.ts';
import { createChance } from '../../tests/oracle/chance.ts';
import { STANDING } from '../../tests/runtime/rcw/rcw-runtime.ts';
import { startSfuLink } from '../../tests/sfu-link/sfu-link.ts';
import { runWorker, type WorkerProcess } from '../../tests/worker/helpers/worker-process.ts';
import { createFaultRobot, type FaultRobot } from './fault-robot.ts';
import { createFaultSfu } from './fault-sfu.ts';
import { FAULT_KINDS, FAULTS, type Fault, type FaultKind } from './faults.ts';
import type { ProofBench, ProofPart, SliceOutcome } from './part.ts';

const KEY_TTL_S = 21_600;
const SHORT_KEY_TTL_S = 20;
/** A robot that is not in its room within this time has failed to start. */
const SHORT_KEY_TTL_MAX_S = 320;
/** If a robot starts with an expired key that the SFU still accepts, its clock is slow. */
const CLOCK_BEHIND_MS = -600_000;
/** The promised time; on a machine on which the robot's first answer takes longer, that long. */
const BACK_WITHIN_MS = 5_000;
const READY_WITHIN_MS = 120_000;
const TURN = { vyaw: 0.2 };
const CLOCK_PROGRAM = pathToFileURL(join(import.meta.dirname, 'clock-shift.mjs')).href;
/** Between two samples of a robot that must stand. */
const LOOK_AGAIN_MS = 300;
const YAW_SLACK_RAD = 1e-3;
const PLACE_SLACK_M = 1e-3;

const idsOf = (slice: number) => ({ turn: `turn-${slice}`, pose: `pose-${slice}`, stop: `stop-${slice}` });

/** The kinds of faults take turns. */
const kindOf = (slice: number): FaultKind => FAULT_KINDS[(slice - 1) % FAULT_KINDS.length] ?? 'kill';

async function openFaults(size: ProofSize): Promise<ProofBench> {
  const folder = await mkdtemp(join(tmpdir(), 'simplesim-faults-'));
  const clockFile = join(folder, 'clock');
  const sfu = await createFaultSfu();
  const main = createFaultRobot(sfu, 'faulted', 'faults');
  const rooms = [main.room];
  await sfu.start(rooms);
  const link = await startSfuLink(sfu.url);
  const behindFile = join(folder, 'clock-behind');
  await writeFile(behindFile, String(CLOCK_BEHIND_MS));
  const startWorker = (key: string, clock = clockFile): WorkerProcess =>
    runWorker(['--log', 'json', '--seed', '1'], {
      RCW_ROOM_KEY: key,
      RCW_RSL_REQUIRED: 'false',
      CLOCK_SHIFT_FILE: clock,
      NODE_OPTIONS: `--import ${CLOCK_PROGRAM}`,
    });
  const worker = startWorker(await main.key(link.url, KEY_TTL_S));
  await Promise.all([worker.logged('robot_ready'), worker.logged('robot_joined')]);
  const startedAtMs = performance.now();
  const firstAnswerMs = (await main.answeredAtMs()) - startedAtMs;
  // Among all other tests a busy machine does not count as a failure, so only outcomes are judged.
  const backWithinMs = size === 'smoke' ? Number.POSITIVE_INFINITY : Math.max(BACK_WITHIN_MS, firstAnswerMs);
  const pid = Number((await worker.logged('robot_starts')).pid);

  async function fault(kind: Exclude<FaultKind, 'expired token'>, slice: number): Promise<SliceOutcome> {
    const chance = createChance(slice);
    const failures: string[] = [];
    const ids = idsOf(slice);
    const turned = await main.insist('set_velocity', TURN, ids.turn);
    if (turned?.status !== 'done') throw new Error(`the robot does not turn: ${JSON.stringify(turned)}`);
    const logged = worker.log.length;
    const beginsAtMs = performance.now();
    let over = false;
    let unreachableAtMs: number | null = null;
    void worker
      .logged('robot_unreachable', () => !over, logged)
      .then(
        () => {
          unreachableAtMs ??= performance.now();
        },
        () => undefined,
      );
    // Called in the middle of the fault: it may be carried out, answered and lost in any order.
    const shiftClock = async (ms: number): Promise<void> => {
      await writeFile(clockFile, String(ms));
      await after(LOOK_AGAIN_MS);
    };
    const faulting = FAULTS[kind]({ sfu, link, rooms, shiftClock }, chance);
    const posing = after(chance.between(0, 300)).then(() => main.insist('set_upper_body', STANDING, ids.pose));
    const happened: Fault = await faulting;
    const name = (what: string): string => `${kind} (${happened.what}): ${what}`;
    const backMs = (await main.answeredAtMs()) - happened.overAtMs;
    if (backMs > backWithinMs) failures.push(name(`calls are answered ${(backMs / 1000).toFixed(1)} s after it was over`));
    const posed = await posing;
    over = true;
    if (!posed) failures.push(name('an action that was requested repeatedly was never answered'));
    failures.push(...(await judge(main, ids, happened.mustStand)).map(name));
    if (!isAlive(pid)) throw new Error(name('the process of the robot ended'));
    if (kind === 'clock jump') await shiftClock(0);
    const stood = unreachableAtMs === null ? {} : { [`robot stands after ${kind} began`]: [unreachableAtMs - beginsAtMs] };
    return { done: 1, failures, timesMs: { [`back after ${kind}`]: [backMs], ...stood } };
  }

  /**
   * Checks the state after a fault: answered actions are known, repeated calls do not run again, and the robot stands after a
   * stop.
   */
  async function judge(robot: FaultRobot, ids: Record<'turn' | 'pose' | 'stop', string>, mustStand: boolean): Promise<string[]> {
    const wrong: string[] = [];
    // A call that a busy machine did not answer in time is repeated, because only the outcome counts here.
    const ask = async (method: string, request: object) => {
      for (;;) {
        const reply = await robot.ask(method, request);
        if (reply) return reply;
      }
    };
    const look = async () => (await ask('runtime.state', {})).robot;
    if (mustStand) {
      // The robot's own report proves nothing: its position shows whether it moves.
      const before = await look();
      await after(LOOK_AGAIN_MS);
      const moves = movedBetween(before, await look());
      if (moves !== null) wrong.push(`the robot was unreachable, and it ${moves}`);
    }
    const stopped = await robot.insist('stop', {}, ids.stop);
    if (stopped?.status !== 'done') wrong.push(`it does not stop: ${JSON.stringify(stopped?.error ?? stopped)}`);
    // A caller whose answer was lost asks again, gets the stored answer, and nothing moves.
    const again = await robot.insist('set_velocity', TURN, ids.turn);
    if (again?.status !== 'done') wrong.push(`the repeat of a velocity is answered ${JSON.stringify(again?.error ?? again)}`);
    const stood = await look();
    await after(LOOK_AGAIN_MS);
    const still = await look();
    if (stood.extra.control.velocity_holds) wrong.push('the repeat of a velocity was carried out a second time');
    const moved = movedBetween(stood, still);
    if (moved !== null) wrong.push(`after the stop it ${moved}`);
    for (const id of [ids.turn, ids.stop]) {
      const kept = await ask('runtime.action', { action_id: id });
      if (kept?.status !== 'done')
        wrong.push(`the action ${id} was answered, but its state afterwards is ${JSON.stringify(kept?.error?.code ?? kept)}`);
    }
    return wrong;
  }

  /** A robot whose key has expired when its SFU restarts rejoins with a newer one, or stands and reports that. */
  async function expired(slice: number): Promise<SliceOutcome> {
    const robot = createFaultRobot(sfu, `expiring-${slice}`, `expiring-${slice}`);
    await sfu.admin.createRoom({ name: robot.room });
    const failures: string[] = [];
    const ids = idsOf(slice);
    for (let ttlS = SHORT_KEY_TTL_S; ttlS <= SHORT_KEY_TTL_MAX_S; ttlS *= 2) {
      const expiring = startWorker(await robot.key(link.url, ttlS), behindFile);
      const expiresAtMs = performance.now() + ttlS * 1_000;
      const joined = await expiring.logged('robot_joined').catch(() => null);
      // On a busy machine it may be too late to join at all.
      if (!joined || performance.now() > expiresAtMs - 2_000) {
        expiring.child.kill('SIGKILL');
        await expiring.exit;
        continue;
      }
      await robot.insist('set_velocity', TURN, ids.turn);
      await after(expiresAtMs - performance.now() + 1_500);
      const logged = expiring.log.length;
      await sfu.kill();
      await sfu.start([...rooms, robot.room]);
      const overAtMs = performance.now();
      // The SFU issues a newer token to each participant at once, and a robot may rejoin with it. Without one, it stands and
      // reports why it ends.
      const outcome = await Promise.race([
        robot.answeredAtMs(),
        expiring
          .logged('robot_over', () => true, logged)
          .then(
            ({ why }) => String(why),
            (error: Error) => error.message,
          ),
      ]);
      const timesMs: Record<string, number[]> = {};
      if (typeof outcome === 'number') {
        const backMs = outcome - overAtMs;
        timesMs['back after expired token'] = [backMs];
        if (backMs > backWithinMs)
          failures.push(`expired token: calls are answered ${(backMs / 1000).toFixed(1)} s after it was over`);
        else failures.push(...(await judge(robot, ids, false)).map((what) => `expired token: ${what}`));
      } else {
        if (outcome !== 'key_expired') failures.push(`expired token: ended ${outcome}`);
        const stands = expiring.log
          .slice(logged)
          .filter(({ event }) => event === 'robot_stopped' || event === 'robot_unreachable');
        if (!stands.some((entry) => entry.stands === true)) failures.push('expired token: the robot did not stand at its end');
        const present = await sfu.admin.listParticipants(robot.room);
        if (present.some(({ identity }) => identity === robot.identity))
          failures.push('expired token: it ended, and is in the room');
      }
      expiring.child.kill('SIGTERM');
      await expiring.exit;
      await sfu.admin.deleteRoom(robot.room);
      await main.answeredAtMs();
      return { done: 1, failures, timesMs };
    }
    throw new Error('expired token: the robot did not get into its room');
  }

  return {
    run(slice) {
      const kind = kindOf(slice);
      return kind === 'expired token' ? expired(slice) : fault(kind, slice);
    },
    async close() {
      worker.child.kill('SIGTERM');
      const ended = await Promise.race([worker.exit.then(() => true), after(READY_WITHIN_MS).then(() => false)]);
      if (!ended) worker.child.kill('SIGKILL');
      await link.close();
      await sfu.kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A robot's base, from the state in the reply. */
interface Posed {
  pose: { position: number[]; orientation_xyzw: number[] };
}

/** How the base moved from one sample to the next; null if it stood. */
function movedBetween(before: Posed, later: Posed): string | null {
  const turnedRad = Math.abs(Math.atan2(Math.sin(yawOf(later) - yawOf(before)), Math.cos(yawOf(later) - yawOf(before))));
  const [x = 0, y = 0] = before.pose.position;
  const [laterX = 0, laterY = 0] = later.pose.position;
  const wentM = Math.hypot(laterX - x, laterY - y);
  if (turnedRad > YAW_SLACK_RAD) return `turns by ${turnedRad.toFixed(4)} rad`;
  return wentM > PLACE_SLACK_M ? `goes ${wentM.toFixed(4)} m` : null;
}

function yawOf({ pose }: Posed): number {
  const [, , z = 0, w = 1] = pose.orientation_xyzw;
  return 2 * Math.atan2(z, w);
}

/** A slice is one fault at a worker process over a real SFU; kinds take turns. */
export const faultsPart: ProofPart = {
  name: 'faults',
  open: openFaults,
};
