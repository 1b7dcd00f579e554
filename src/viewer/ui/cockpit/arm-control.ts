import { createPosePace, type PosePace } from '../../../protocol/wire/pose-pace.ts';
import type { Engine, ViewerState } from '../../engine/types.ts';
import { anotherDrives, drivenText } from '../common/lease.ts';
import { beginning } from '../common/texts.ts';
import { othersCommandSince } from '../common/who-moves.ts';
import { type ArmPose, clampedPose, type JointChoice, nudgedPose, poseGapRad, STANDING_POSE } from './arm-pose.ts';
import { type ArmAim, type ArmStream, aimedPose, streamBeat, streamFrom } from './arm-stream.ts';
import type { CallAnswer, CockpitCalls } from './cockpit-calls.ts';
import type { Preset } from './presets.ts';
import { stoppedText } from './walk-control.ts';

/** Arm mode: off; the robot is brought to a stand; poses are streamed; the arms return to the standing pose. */
export type ArmMode = 'off' | 'entering' | 'on' | 'leaving';

/** Manual control of the arms. */
export interface ArmControl {
  mode(): ArmMode;
  aim(): ArmAim | null;
  /** The pose that the stream moves to; null while nothing is streamed. */
  target(): ArmPose | null;
  /** Stops the drive, then streams the measured pose. */
  enter(): void;
  /**
   * Sends the standing pose, then a zero velocity: `gently` once the arms are there, or `at-once` if the page may be stopped at
   * any moment.
   */
  leave(pace: 'gently' | 'at-once'): void;
  /** Stops streaming, without a message to the robot. */
  drop(): void;
  choose(preset: Preset): void;
  nudge(choice: JointChoice, byRad: number): void;
  /** Whether a packet is on its way that has not been answered. */
  isUnderWay(): boolean;
  /** Returns whether another caller sends poses into the open session. */
  isShared(): boolean;
  tick(): void;
}

interface ArmDeps {
  engine: Pick<Engine, 'store'>;
  calls: Pick<CockpitCalls, 'stop' | 'setUpperBody' | 'control'>;
  /** Sends a zero velocity until the robot confirms it, which returns the arms to locomotion. */
  letGo(): void;
  nowMs(): number;
  newId(): string;
  onChange(): void;
  say(text: string): void;
}

/** The arms are in the standing pose when every joint is within this angle of it, radians. */
const STANDS_WITHIN_RAD = 0.1;
/** Blocked arms are released after this time. */
const LEAVES_WITHIN_MS = 2_000;
/** Number of our poses that the state may still report. */
const POSES_KNOWN = 64;
/** A robot that has not reported a standstill within this time is released again, because its state is unknown. */
const ENTERS_WITHIN_MS = 6_000;
/** States taken before this time may still report earlier poses. */
const SHARED_AFTER_MS = 500;

const PAGE_BUSY = 'This page was busy for longer than 200 ms, so the arms went limp. They were caught where they hung.';
const LINE_LOST =
  'No pose reached the robot for more than 200 ms, so the arms went limp. Arm mode continues from their current position.';

/** Poses are streamed; `leaving`: the standing pose, until the arms are there. */
interface Streaming {
  mode: 'on' | 'leaving';
  stream: ArmStream;
  since: { ms: number; epochMs: number };
  /** Poses of ours that the state may still report. */
  known: ArmPose[];
  isCatching: boolean;
  /** The pace of sending: late or missing replies show how much the connection can carry. */
  pace: PosePace;
  /** Whether the connection, and not this page, delayed the next pose. */
  isHeldBack: boolean;
  /** How often the robot's watchdog had let the arms go limp, as reported by this page so far. */
  timeouts: number;
  leavingSinceMs: number;
}

/** Each entry, stream and exit is a separate object. A reply counts only while the object that asked for it is current. */
type State = { mode: 'off' } | { mode: 'entering'; sinceMs: number } | Streaming;

export function createArmControl({ engine, calls, letGo, nowMs, newId, onChange, say }: ArmDeps): ArmControl {
  let state: State = { mode: 'off' };
  let unanswered = 0;

  const isCurrent = (one: State): boolean => one === state;
  const streaming = (): Streaming | null => (state.mode === 'on' || state.mode === 'leaving' ? state : null);

  function setState(next: State): void {
    state = next;
    onChange();
  }

  function drop(): void {
    const wasOff = state.mode === 'off';
    state = { mode: 'off' };
    if (!wasOff) onChange();
  }

  async function enter(): Promise<void> {
    if (state.mode !== 'off') return;
    const seen = engine.store.getState();
    const driver = anotherDrives(seen);
    // A stop before the first pose would interrupt the other driver.
    if (driver) return say(drivenText(driver, seen));
    const mine: State = { mode: 'entering', sinceMs: nowMs() };
    setState(mine);
    const stopped = await calls.stop(newId());
    if (!isCurrent(mine)) return;
    const control = stopped.ok ? await calls.control() : null;
    if (!isCurrent(mine)) return;
    if (!stopped.ok) return enteringFailed(stopped.text);
    if (!control) return enteringFailed('its state could not be read.');
    if (control.velocity_holds) return enteringFailed('it is being driven.');
    const stream = streamFrom(control.upper_body.measured, nowMs());
    const since = { ms: nowMs(), epochMs: stopped.meta.started_at_ms };
    const { timeouts } = control.upper_body;
    const pace = createPosePace();
    setState({ mode: 'on', stream, since, known: [], isCatching: false, pace, isHeldBack: false, timeouts, leavingSinceMs: 0 });
    send(stream.sent);
  }

  function enteringFailed(why: string): void {
    drop();
    letGo();
    say(`Arm mode needs a robot that stands: ${why}`);
  }

  function leave(pace: 'gently' | 'at-once'): void {
    if (state.mode === 'off') return;
    const left = streaming();
    if (pace === 'gently' && left?.mode === 'leaving') return;
    if (pace === 'gently' && left) {
      left.mode = 'leaving';
      left.leavingSinceMs = nowMs();
      left.stream = { ...left.stream, aim: { kind: 'pose', pose: STANDING_POSE } };
      onChange();
      return;
    }
    drop();
    if (left) send(STANDING_POSE);
    letGo();
  }

  function send(pose: ArmPose): void {
    const mine = state;
    const mineStreaming = streaming();
    if (mineStreaming) mineStreaming.known = [...mineStreaming.known.slice(1 - POSES_KNOWN), pose];
    unanswered += 1;
    const answered = mineStreaming?.pace.sent(nowMs());
    void calls.setUpperBody(pose).then((answer) => {
      unanswered = Math.max(0, unanswered - 1);
      answered?.(nowMs());
      if (isCurrent(mine) && !answer.ok) refused(answer);
    });
  }

  function refused({ error, text }: Extract<CallAnswer, { ok: false }>): void {
    drop();
    if (error?.code !== 'NOT_CONTROLLER') letGo();
    say(`Arm mode ended: ${text}`);
  }

  function tick(): void {
    if (state.mode === 'off') return;
    const seen = engine.store.getState();
    if (seen.runtime?.robot.extra.control?.emergency_stop) {
      drop();
      say('The emergency stop ended arm mode. The arms are limp.');
      return;
    }
    const driver = anotherDrives(seen);
    if (driver) {
      drop();
      say(drivenText(driver, seen));
      return;
    }
    if (state.mode === 'entering') {
      if (nowMs() - state.sinceMs > ENTERS_WITHIN_MS) enteringFailed('it has not confirmed it.');
      return;
    }
    const theirs = othersCommandSince(seen, state.since.epochMs);
    if (theirs) {
      // One of our packets may have arrived later and may control the arms again, so they are released and the robot stands
      // still.
      leave('at-once');
      say(
        theirs.name === 'stop'
          ? `${stoppedText(theirs.who)} Arm mode ended.`
          : `${beginning(theirs.who)} drives now, so arm mode ended and the robot was stopped.`,
      );
      return;
    }
    if (state.mode === 'leaving' && hasLeft(state, seen)) {
      leave('at-once');
      return;
    }
    const control = seen.runtime?.robot.extra.control;
    if (control && control.upper_body.timeouts > state.timeouts) {
      state.timeouts = control.upper_body.timeouts;
      if (control.upper_body.mode === 'damp') return void catchArms(state, LINE_LOST);
      say(LINE_LOST);
    }
    if (!state.pace.maySend(nowMs())) {
      state.isHeldBack = true;
      return;
    }
    const beat = streamBeat(state.stream, nowMs());
    if (beat.kind === 'lapsed') void catchArms(state, state.isHeldBack ? LINE_LOST : PAGE_BUSY);
    if (beat.kind !== 'send') return;
    state.isHeldBack = false;
    state.stream = beat.next;
    send(beat.next.sent);
  }

  function hasLeft({ stream: { sent }, leavingSinceMs }: Streaming, seen: ViewerState): boolean {
    if (nowMs() - leavingSinceMs > LEAVES_WITHIN_MS) return true;
    const measured = seen.runtime?.robot.extra.control?.upper_body.measured;
    if (!measured || poseGapRad(sent, STANDING_POSE) > 0) return false;
    return poseGapRad(measured, STANDING_POSE) <= STANDS_WITHIN_RAD;
  }

  /**
   * Resumes after the watchdog has let the arms go limp. The stream continues from their measured position, not from the last
   * sent pose.
   */
  async function catchArms(mine: Streaming, why: string): Promise<void> {
    if (mine.isCatching) return;
    mine.isCatching = true;
    const control = await calls.control();
    if (!isCurrent(mine)) return;
    mine.isCatching = false;
    if (!control) return;
    mine.stream = { ...streamFrom(control.upper_body.measured, nowMs()), aim: mine.stream.aim };
    mine.timeouts = Math.max(mine.timeouts, control.upper_body.timeouts);
    mine.isHeldBack = false;
    say(why);
    send(mine.stream.sent);
  }

  function setAim(aim: ArmAim): void {
    if (state.mode !== 'on') return;
    state.stream = { ...state.stream, aim };
    onChange();
  }

  return {
    mode: () => state.mode,
    aim: () => streaming()?.stream.aim ?? null,
    target() {
      const now = streaming();
      return now && aimedPose(now.stream.aim, nowMs());
    },
    enter: () => void enter(),
    leave,
    drop,
    choose: (preset) => setAim({ kind: 'preset', preset, chosenAtMs: nowMs() }),
    nudge(choice, byRad) {
      const now = streaming();
      // After a wave, the nudge continues from the pose to which the arm is currently sent.
      if (now) setAim({ kind: 'pose', pose: nudgedPose(clampedPose(aimedPose(now.stream.aim, nowMs())), choice, byRad) });
    },
    isUnderWay: () => unanswered > 0,
    isShared() {
      const now = streaming();
      const commanded = engine.store.getState().runtime?.robot.extra.control?.upper_body.commanded;
      if (!now || !commanded || nowMs() - now.since.ms < SHARED_AFTER_MS) return false;
      return !now.known.some((pose) => poseGapRad(pose, commanded) === 0);
    },
    tick,
  };
}
