import { createStore, type StoreApi } from 'zustand/vanilla';
import { clamp } from '../../../common/clamp.ts';
import { driveActionId } from '../../engine/drive-actions.ts';
import type { Engine } from '../../engine/types.ts';
import { anotherDrives, drivenText } from '../common/lease.ts';
import {
  COMMAND_LIVES_MS,
  DEFAULT_LIMITS,
  type DriveCommand,
  type DriveIntent,
  type DriveLimits,
  type DriveSource,
  type DriveState,
  type DriveVelocity,
  dueCommand,
  initialDrive,
  isStandstill,
  NO_INTENT,
  STANDSTILL,
  wantedVelocity,
  withAnswer,
  withBlock,
  withIntent,
  withSent,
} from './drive-core.ts';
import { idsElsewhere, newDriverText, readDriveReply } from './drive-reply.ts';

/** The state that the drive panel shows, updated at people's pace. */
export interface DriveView {
  wanted: DriveVelocity;
  limits: DriveLimits;
  speedShare: number;
  /** Why the robot stands still although an input is held, or what it has hit. */
  notice: string | null;
  /** Whether an input is held that takes no effect until it has been released. */
  blocked: boolean;
}

/** Manual control: takes the held input, and keeps the robot moving accordingly. */
export interface DriveController {
  readonly view: StoreApi<DriveView>;
  hold(source: DriveSource, intent: DriveIntent): void;
  setSlow(slow: boolean): void;
  /** Sets the speed. @param share of the limits, in (0, 1] */
  setSpeed(share: number): void;
  /** Stops a driven robot, and shows why. Held input counts again after it has been released. */
  halt(why: string): void;
  /** Stops all actions of the robot, like the Stop button. */
  stop(): void;
  /** Turns the head by steps, or straight ahead. */
  moveHead(head: { left: number; up: number } | 'straight'): void;
  /** Sends due commands; called many times a second while driving. */
  tick(): void;
  /** Releases everything and stops the robot. */
  dispose(): void;
}

interface DriveDeps {
  engine: Engine;
  nowMs(): number;
  /** Milliseconds since the epoch, as the runtime reports them. */
  epochMs(): number;
  newStroke(): string;
  speedShare: number;
}

/** From the first push to the standstill. */
interface Stroke {
  id: string;
  commands: number;
  /** Other callers' actions on the legs at the first push, which takes over from them. */
  elsewhere: ReadonlySet<string>;
  /** When the page found that its last command had expired; null while it renews in time. */
  lapsedAtEpochMs: number | null;
}

/** A tick this late means that the page was busy with something else. */
const PAUSE_MS = 150;
const HEAD_STEP_RAD = Math.PI / 12;
export const LET_GO_TEXT = 'Let go and press again to drive on.';
export const STOPPED_TEXT = `The robot was stopped. ${LET_GO_TEXT}`;

export function createDriveController({ engine, nowMs, epochMs, newStroke, speedShare }: DriveDeps): DriveController {
  let state: DriveState = initialDrive(speedShare);
  let stroke: Stroke | null = null;
  let head: { running: boolean; next: { yaw: number; pitch: number } | null } = { running: false, next: null };
  let disposed = false;
  let beatAtMs = nowMs();
  const view = createStore<DriveView>(() => ({
    wanted: STANDSTILL,
    limits: DEFAULT_LIMITS,
    speedShare,
    notice: null,
    blocked: false,
  }));
  void readLimits(engine).then((limits) => {
    if (limits) change({ ...state, limits });
  });

  function change(next: DriveState): void {
    state = next;
    const wanted = wantedVelocity(state);
    const before = view.getState();
    if (before.wanted.vx === wanted.vx && before.wanted.vy === wanted.vy && before.wanted.wz === wanted.wz) {
      if (before.blocked === state.blocked && before.limits === state.limits && before.speedShare === state.speedShare) return;
    }
    const { blocked, limits } = state;
    // A person who drives again has read why it stopped.
    const notice = isStandstill(wanted) ? before.notice : null;
    view.setState({ wanted, blocked, limits, speedShare: state.speedShare, notice });
  }

  function tick(): void {
    if (disposed) return;
    const simSpeed = engine.store.getState().runtime?.robot.extra.sim.speed ?? 1;
    const due = dueCommand(state, nowMs(), simSpeed);
    if (due && isDrivenByAnother()) return;
    if (due && !(stroke && isInOtherHands(stroke, due))) send(due);
  }

  /**
   * Returns whether another caller has the lease. Nothing is sent then: the robot would reject a motion, and a standstill would
   * end theirs.
   */
  function isDrivenByAnother(): boolean {
    const seen = engine.store.getState();
    const driver = anotherDrives(seen);
    if (driver === null) return false;
    stroke = null;
    state = { ...state, sent: STANDSTILL };
    change(withBlock(state));
    view.setState({ notice: drivenText(driver, seen) });
    return true;
  }

  /** Runs one tick. After a pause of the page, it first processes pending updates, because another caller may drive now. */
  function beat(): void {
    const lateMs = nowMs() - beatAtMs;
    beatAtMs = nowMs();
    if (lateMs < PAUSE_MS || stroke === null) tick();
  }

  /**
   * Returns whether another caller has moved the robot since this stroke began. Continuing would take it from them unasked, and a
   * standstill would stop them. If the last command expired during a pause of the page, no motion is sent until it is known what
   * happened meanwhile.
   */
  function isInOtherHands(current: Stroke, due: DriveCommand): boolean {
    const seen = engine.store.getState();
    if (!isStandstill(due) && nowMs() - state.sentAtMs > COMMAND_LIVES_MS) {
      current.lapsedAtEpochMs ??= epochMs();
      if ((seen.runtime?.timestamp.wall_time_ms ?? 0) < current.lapsedAtEpochMs) return true;
    }
    const text = newDriverText(seen, current.elsewhere);
    if (text === null) return false;
    stroke = null;
    state = { ...state, sent: STANDSTILL };
    change(withBlock(state));
    view.setState({ notice: text });
    return true;
  }

  function send(command: DriveCommand): void {
    stroke ??= { id: newStroke(), commands: 0, elsewhere: idsElsewhere(engine.store.getState()), lapsedAtEpochMs: null };
    stroke.commands += 1;
    stroke.lapsedAtEpochMs = null;
    const part = { id: stroke.id, number: stroke.commands };
    if (isStandstill(command)) stroke = null;
    change(withSent(state, command, nowMs()));
    const { vx, vy, wz, durationS } = command;
    engine
      .call(
        'runtime.tools_call',
        {
          name: 'set_velocity',
          input: { vx, vy, wz, duration_s: durationS },
          options: { action_id: driveActionId(part.id, part.number) },
        },
        { stroke: part },
      )
      .then((reply) => answered(reply, command))
      .catch(() => answered(null, command));
  }

  function answered(reply: unknown, command: DriveCommand): void {
    change(withAnswer(state));
    if (disposed) return;
    const answer = readDriveReply(reply, engine.store.getState());
    if (answer.kind === 'fine') {
      if (answer.blockedBy !== null && isStandstill(wantedVelocity(state)))
        view.setState({ notice: `The robot pressed against ${answer.blockedBy}.` });
      tick();
      return;
    }
    // If a standstill was rejected, another caller already has the robot.
    if (isStandstill(command) || isStandstill(state.sent)) return;
    // If another caller has the robot, our standstill would stop their motion.
    if (answer.kind === 'refused') {
      stroke = null;
      state = { ...state, sent: STANDSTILL };
    }
    change(withBlock(state));
    tick();
    view.setState({ notice: answer.text });
    nameLater(reply, answer.text);
  }

  /** Names the action in the notice later, because the reply may arrive before the page's list contains the action. */
  function nameLater(reply: unknown, said: string): void {
    const stop = engine.store.subscribe((now) => {
      const answer = readDriveReply(reply, now);
      const changed = answer.kind !== 'fine' && answer.text !== said;
      if (!changed && view.getState().notice === said && !disposed) return;
      stop();
      if (changed && view.getState().notice === said) view.setState({ notice: answer.text });
    });
  }

  function halt(why: string): void {
    const drove = !isStandstill(wantedVelocity(state)) || !isStandstill(state.sent);
    change(withBlock(withIntent(state, 'keys', NO_INTENT)));
    tick();
    if (drove) view.setState({ notice: why });
  }

  function moveHead(step: { left: number; up: number } | 'straight'): void {
    const angles = engine.store.getState().runtime?.robot.extra.head;
    if (!angles) return;
    const from = head.next ?? angles.target;
    head.next =
      step === 'straight'
        ? { yaw: 0, pitch: 0 }
        : {
            yaw: clamp(from.yaw + step.left * HEAD_STEP_RAD, ...angles.yaw_range),
            pitch: clamp(from.pitch - step.up * HEAD_STEP_RAD, ...angles.pitch_range),
          };
    void turnHead();
  }

  /** Turns the head, one turn at a time. The latest request wins. */
  async function turnHead(): Promise<void> {
    if (head.running) return;
    while (head.next && !disposed) {
      const input = head.next;
      head = { running: true, next: null };
      await engine.call('runtime.tools_call', { name: 'set_head', input }).catch(() => null);
    }
    head.running = false;
  }

  return {
    view,
    hold(source, intent) {
      change(withIntent(state, source, intent));
      tick();
    },
    setSlow(slow) {
      change({ ...state, slow });
      tick();
    },
    setSpeed(share) {
      change({ ...state, speedShare: share });
      tick();
    },
    halt,
    stop() {
      halt(STOPPED_TEXT);
      engine.stop();
    },
    moveHead,
    tick: beat,
    dispose() {
      halt('');
      disposed = true;
    },
  };
}

/** Returns the limits that the live runtime reports; null when it reports none. */
export async function readLimits(engine: Engine): Promise<DriveLimits | null> {
  const reply = (await engine.call('runtime.capabilities', {}).catch(() => null)) as {
    limits?: { linear_mps?: unknown; angular_rps?: unknown };
  } | null;
  const { linear_mps: linearMps, angular_rps: angularRps } = reply?.limits ?? {};
  const isLimit = (value: unknown): value is number => typeof value === 'number' && value > 0 && Number.isFinite(value);
  return isLimit(linearMps) && isLimit(angularRps) ? { linearMps, angularRps } : null;
}
