import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Engine } from '../../engine/types.ts';
import { LET_GO_TEXT, readLimits, STOPPED_TEXT } from '../drive/drive-controller.ts';
import {
  DEFAULT_LIMITS,
  type DriveIntent,
  type DriveLimits,
  type DriveSource,
  type DriveVelocity,
  isStandstill,
  STANDSTILL,
  wantedVelocity,
} from '../drive/drive-core.ts';
import { type ArmMode, createArmControl } from './arm-control.ts';
import { type ArmPose, type ArmSide, type JointChoice, NUDGE_RAD, nextJoint } from './arm-pose.ts';
import { createCockpitCalls } from './cockpit-calls.ts';
import type { Preset } from './presets.ts';
import { createRoundTrips, type RoundTrips } from './round-trips.ts';
import { createWalkControl } from './walk-control.ts';

/** The state that the cockpit shows, updated at people's pace. */
export interface CockpitView {
  arms: ArmMode;
  wanted: DriveVelocity;
  limits: DriveLimits;
  speedShare: number;
  /** Whether an input is held that takes no effect until it has been released. */
  blocked: boolean;
  /** Whether a zero velocity is in transit that the robot has not confirmed. */
  lettingGo: boolean;
  /** Why the robot stands still, or why arm mode ended. */
  notice: string | null;
  chosen: JointChoice;
  preset: Preset | null;
  /** The target of the arms; null while they have none. */
  target: ArmPose | null;
  /** Whether another caller sends poses too. */
  shared: boolean;
  roundTrips: RoundTrips | null;
}

/** Manual control of a robot of the `rcw` profile. */
export interface Cockpit {
  readonly view: StoreApi<CockpitView>;
  hold(source: DriveSource, intent: DriveIntent): void;
  setSlow(slow: boolean): void;
  /** Sets the speed. @param share of the limits, in (0, 1] */
  setSpeed(share: number): void;
  /** Handles the loss of the input: the drive stops, and arm mode ends at once in its order. @param why a sentence */
  halt(why: string): void;
  /** Stops everything at once, like the page's stop button. @param pressed whether the page has pressed it already */
  stop(pressed?: boolean): void;
  toggleArms(): void;
  /** Leaves arm mode gently. @returns whether arm mode was on */
  leaveArms(): boolean;
  choosePreset(preset: Preset): void;
  chooseArm(side: ArmSide): void;
  chooseJoint(choice: JointChoice): void;
  cycleJoint(by: 1 | -1): void;
  nudge(by: 1 | -1): void;
  /** Ends arm mode in its order, releases everything, and continues until the robot has confirmed it. */
  dispose(): void;
}

export interface CockpitDeps {
  engine: Engine;
  nowMs(): number;
  /** Milliseconds since the epoch, as the runtime reports them. */
  epochMs(): number;
  newId(): string;
  speedShare: number;
  /** Calls `beat` periodically. @returns a function that stops it */
  startTimer(beat: () => void, everyMs: number): () => void;
}

/** Twice as often as poses are sent. */
const BEAT_EVERY_MS = 10;
/** A tick this late means that the page was busy: pending updates are processed before the velocity is renewed. */
const PAUSE_MS = 150;
const TELL_EVERY_MS = 250;
/** After a silence of this length a reading of the robot's state measures the round trip. */
const PROBE_AFTER_MS = 2_000;
/** A person who closed the cockpit relies on the robot standing still. A robot that never answers is asked only for this long. */
const CLOSES_WITHIN_MS = 15_000;

export function createCockpit({ engine, nowMs, epochMs, newId, speedShare, startTimer }: CockpitDeps): Cockpit {
  const roundTrips = createRoundTrips();
  const calls = createCockpitCalls(engine, nowMs, (tookMs) => roundTrips.add(tookMs, nowMs()));
  const view = createStore<CockpitView>(() => ({
    arms: 'off',
    wanted: STANDSTILL,
    limits: DEFAULT_LIMITS,
    speedShare,
    blocked: false,
    lettingGo: false,
    notice: null,
    chosen: { side: 'r_arm', joint: 0 },
    preset: null,
    target: null,
    shared: false,
    roundTrips: null,
  }));
  const say = (notice: string): void => view.setState({ notice });
  const unsay = (text: string): void => {
    if (view.getState().notice === text) view.setState({ notice: null });
  };
  const walk = createWalkControl({ engine, calls, nowMs, epochMs, newId, speedShare, onChange: show, say, unsay });
  const arms = createArmControl({ engine, calls, letGo: walk.letGo, nowMs, newId, onChange: show, say });
  let closingSinceMs: number | null = null;
  let beatAtMs = nowMs();
  let waited = false;
  let reportedAtMs = 0;
  const endTimer = startTimer(beat, BEAT_EVERY_MS);
  void readLimits(engine).then((limits) => limits && walk.change({ limits }));

  function show(): void {
    const { limits, speedShare: share, blocked } = walk.state();
    const before = view.getState();
    const wanted = arms.mode() === 'off' ? wantedVelocity(walk.state()) : STANDSTILL;
    const aim = arms.aim();
    const next: Partial<CockpitView> = {
      arms: arms.mode(),
      wanted: sameVelocity(wanted, before.wanted) ? before.wanted : wanted,
      limits,
      speedShare: share,
      blocked,
      lettingGo: walk.isLettingGo(),
      preset: aim?.kind === 'preset' ? aim.preset : null,
      target: aim?.kind === 'preset' && aim.preset === before.preset && before.target ? before.target : arms.target(),
    };
    // A person who moves the robot again has read why it stopped. The reason for the end of arm mode is shown after the mode has
    // changed.
    if (!isStandstill(wanted) || next.arms !== before.arms) next.notice = null;
    if (Object.entries(next).some(([key, value]) => before[key as keyof CockpitView] !== value)) view.setState(next);
  }

  function beat(): void {
    const lateMs = nowMs() - beatAtMs;
    beatAtMs = nowMs();
    // Never wait twice in a row or before a zero velocity, because the timers of a hidden page are always late.
    waited = lateMs >= PAUSE_MS && !waited && arms.mode() === 'off' && !walk.isLettingGo();
    if (!waited) {
      walk.tick();
      arms.tick();
    }
    tell();
    if (closingSinceMs === null) return;
    const late = nowMs() - closingSinceMs > CLOSES_WITHIN_MS;
    if (late || (!walk.isLettingGo() && arms.mode() === 'off')) endTimer();
  }

  /** Updates values that change many times a second only a few times a second. */
  function tell(): void {
    if (closingSinceMs !== null || nowMs() - reportedAtMs < TELL_EVERY_MS) return;
    reportedAtMs = nowMs();
    const shared = arms.isShared();
    const measured = roundTrips.read(nowMs());
    const before = view.getState();
    if (before.shared !== shared || before.roundTrips !== measured) view.setState({ shared, roundTrips: measured });
    if (roundTrips.isSilent(nowMs(), PROBE_AFTER_MS)) void calls.control();
  }

  return {
    view,
    // In arm mode, sticks and keys do not move the legs.
    hold: (source, intent) => walk.hold(source, intent, arms.mode() !== 'off'),
    setSlow(slow) {
      if (walk.state().slow !== slow) walk.change({ slow });
    },
    setSpeed: (share) => walk.change({ speedShare: share }),
    halt(why) {
      const hadArms = arms.mode() !== 'off';
      arms.leave('at-once');
      const drove = walk.halt();
      if (hadArms) say(`${why} Arm mode ended: standing pose, then a zero velocity.`);
      else if (drove) say(`${why} ${LET_GO_TEXT}`);
    },
    stop(pressed = false) {
      const moved = arms.mode() !== 'off' || !isStandstill(wantedVelocity(walk.state()));
      arms.drop();
      if (!pressed) engine.stop();
      // The stop overtakes calls that are being signed. Only a zero velocity comes after them.
      if (arms.isUnderWay() || walk.state().unanswered > 0) walk.letGo();
      else walk.watchStop();
      if (moved) say(STOPPED_TEXT);
    },
    toggleArms() {
      if (arms.mode() !== 'off') return arms.leave('gently');
      // The robot's stop replaces the zero velocity, and answers when the robot is at a standstill.
      walk.leaveToStop();
      arms.enter();
    },
    leaveArms() {
      if (arms.mode() === 'off') return false;
      arms.leave('gently');
      return true;
    },
    choosePreset(preset) {
      view.setState({ notice: null });
      arms.choose(preset);
    },
    chooseArm: (side) => view.setState(({ chosen }) => ({ chosen: { ...chosen, side } })),
    chooseJoint: (chosen) => view.setState({ chosen }),
    cycleJoint: (by) => view.setState(({ chosen }) => ({ chosen: nextJoint(chosen, by) })),
    nudge: (by) => arms.nudge(view.getState().chosen, by * NUDGE_RAD),
    dispose() {
      arms.leave('at-once');
      walk.halt();
      closingSinceMs = nowMs();
      if (!walk.isLettingGo()) endTimer();
    },
  };
}

const sameVelocity = (one: DriveVelocity, other: DriveVelocity): boolean =>
  one.vx === other.vx && one.vy === other.vy && one.wz === other.wz;
