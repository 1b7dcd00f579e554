import { clamp } from '../../../common/clamp.ts';
import { MAX_ANGULAR_RPS, MAX_LINEAR_MPS } from '../../../protocol/wire/limits.ts';

/** The sources of drive input. */
const DRIVE_SOURCES = ['keys', 'gamepad', 'sticks'] as const;
export type DriveSource = (typeof DRIVE_SOURCES)[number];

/** A person's input, each a share of the chosen speed, in [-1, 1]; in the robot's own frame. */
export interface DriveIntent {
  forward: number;
  left: number;
  turnLeft: number;
}

/** The input of `set_velocity`: m/s and rad/s in the body frame. */
export interface DriveVelocity {
  vx: number;
  vy: number;
  wz: number;
}

/** Speed limits of this robot, as its runtime reports them. */
export interface DriveLimits {
  linearMps: number;
  angularRps: number;
}

/** One call that is due. */
export interface DriveCommand extends DriveVelocity {
  /** Simulated seconds; zero for a standstill. */
  durationS: number;
}

export const NO_INTENT: DriveIntent = { forward: 0, left: 0, turnLeft: 0 };
export const STANDSTILL: DriveVelocity = { vx: 0, vy: 0, wz: 0 };
export const DEFAULT_LIMITS: DriveLimits = { linearMps: MAX_LINEAR_MPS, angularRps: MAX_ANGULAR_RPS };

/** A command lasts this long on the runtime's own clock. If the page is gone, the command is not renewed, and the robot stops. */
export const COMMAND_LIVES_MS = 800;
/** The command is renewed this often while an input is held. */
export const RENEW_EVERY_MS = 250;
/** Minimum time between two changes of a stick. */
const CHANGE_EVERY_MS = 60;
/** A command counts as processed when it or the previous one has been answered. At most this many may be unanswered. */
const UNANSWERED_MAX = 2;
/** Changes below this share of the limit are ignored. */
const SAME_WITHIN = 0.01;
/** Share of the speed while the Shift key is held. */
const SLOW_SHARE = 0.35;

/** The state of driving: the inputs, and the command sent last. Plain data; times are milliseconds of one clock. */
export interface DriveState {
  intents: Readonly<Record<DriveSource, DriveIntent>>;
  slow: boolean;
  /** Share of the limits at full deflection, in (0, 1]. */
  speedShare: number;
  limits: DriveLimits;
  /** Nothing moves until everything has been released, because the robot was stopped while an input was held. */
  blocked: boolean;
  sent: DriveVelocity;
  sentAtMs: number;
  unanswered: number;
}

export const initialDrive = (speedShare: number, limits: DriveLimits = DEFAULT_LIMITS): DriveState => ({
  intents: { keys: NO_INTENT, gamepad: NO_INTENT, sticks: NO_INTENT },
  slow: false,
  speedShare,
  limits,
  blocked: false,
  sent: STANDSTILL,
  sentAtMs: Number.NEGATIVE_INFINITY,
  unanswered: 0,
});

const isNone = ({ forward, left, turnLeft }: DriveIntent): boolean => forward === 0 && left === 0 && turnLeft === 0;
export const isStandstill = ({ vx, vy, wz }: DriveVelocity): boolean => vx === 0 && vy === 0 && wz === 0;

/** Combines all sources. A diagonal has at most the speed of straight ahead. */
function wishOf({ intents }: DriveState): DriveIntent {
  const all = DRIVE_SOURCES.map((source) => intents[source]);
  const along = (axis: keyof DriveIntent): number => {
    const sum = all.reduce((total, intent) => total + intent[axis], 0);
    return clamp(sum, -1, 1);
  };
  const [forward, left, turnLeft] = [along('forward'), along('left'), along('turnLeft')];
  const scale = 1 / Math.max(1, Math.hypot(forward, left));
  return { forward: forward * scale, left: left * scale, turnLeft };
}

/** Returns the velocity that the robot should have now. */
export function wantedVelocity(state: DriveState): DriveVelocity {
  if (state.blocked) return STANDSTILL;
  const { forward, left, turnLeft } = wishOf(state);
  const share = state.speedShare * (state.slow ? SLOW_SHARE : 1);
  const tidy = (value: number): number => Number(value.toFixed(3)) || 0;
  return {
    vx: tidy(forward * share * state.limits.linearMps),
    vy: tidy(left * share * state.limits.linearMps),
    wz: tidy(turnLeft * share * state.limits.angularRps),
  };
}

/** Updates the intent of one source. When all are released, a blocked drive is free again. */
export function withIntent(state: DriveState, source: DriveSource, intent: DriveIntent): DriveState {
  const intents = { ...state.intents, [source]: intent };
  const blocked = state.blocked && DRIVE_SOURCES.some((each) => !isNone(intents[each]));
  return { ...state, intents, blocked };
}

/** Stops, whatever is held, until everything has been released. */
export const withBlock = (state: DriveState): DriveState => ({
  ...state,
  blocked: DRIVE_SOURCES.some((source) => !isNone(state.intents[source])),
});

/**
 * Returns the call that is due now, if any: a standstill at once, a change soon, and held input again before it expires.
 * @param simSpeed simulated seconds per second, because a command lasts in simulated time
 */
export function dueCommand(state: DriveState, nowMs: number, simSpeed: number): DriveCommand | null {
  const wanted = wantedVelocity(state);
  if (isStandstill(wanted)) return isStandstill(state.sent) ? null : { ...STANDSTILL, durationS: 0 };
  if (state.unanswered >= UNANSWERED_MAX) return null;
  const sinceMs = nowMs - state.sentAtMs;
  const due = differs(wanted, state.sent, state.limits) ? sinceMs >= CHANGE_EVERY_MS : sinceMs >= RENEW_EVERY_MS;
  if (!due) return null;
  return { ...wanted, durationS: Number(((COMMAND_LIVES_MS / 1000) * Math.max(0.1, simSpeed)).toFixed(2)) };
}

/** Returns whether the wanted velocity differs from the last one sent. */
export function isChanged(state: DriveState): boolean {
  const wanted = wantedVelocity(state);
  return isStandstill(wanted) !== isStandstill(state.sent) || differs(wanted, state.sent, state.limits);
}

/** Notes that the command was sent. */
export const withSent = (state: DriveState, { vx, vy, wz }: DriveCommand, nowMs: number): DriveState => ({
  ...state,
  sent: { vx, vy, wz },
  sentAtMs: nowMs,
  unanswered: state.unanswered + 1,
});

/** Notes that one of the commands was answered. */
export const withAnswer = (state: DriveState): DriveState => ({ ...state, unanswered: Math.max(0, state.unanswered - 1) });

const differs = (one: DriveVelocity, other: DriveVelocity, { linearMps, angularRps }: DriveLimits): boolean =>
  Math.abs(one.vx - other.vx) > SAME_WITHIN * linearMps ||
  Math.abs(one.vy - other.vy) > SAME_WITHIN * linearMps ||
  Math.abs(one.wz - other.wz) > SAME_WITHIN * angularRps;

/** Returns a stick's deflection without its dead zone: zero inside it, and linear from its edge up to 1. */
export function outsideDeadZone(x: number, y: number, deadZone: number): readonly [x: number, y: number] {
  const length = Math.hypot(x, y);
  if (!(length > deadZone)) return [0, 0];
  const share = (Math.min(1, length) - deadZone) / (1 - deadZone) / length;
  return [x * share, y * share];
}
