import { CONTROL_METHOD } from './driver.ts';
import { EMERGENCY_STOP_METHOD } from './emergency-stop.ts';
import { CANCEL_ACTIVE } from './methods.ts';
import { onlyReads } from './profile.ts';

/**
 * The effect of a command on other commands for the same robot, if the robot holds its commands (profile `rcw`). A `stop` ends
 * motion, a `drive` sets the velocity, a `pose` sets the arms, an `other` may do anything, a `read` does nothing.
 */
export type CommandKind = 'stop' | 'drive' | 'pose' | 'other' | 'read';

/** The parts of a velocity, of the physical robot's contract and of the simulator's. */
const VELOCITIES = ['vx', 'vy', 'vyaw', 'wz'];

/** Returns the kind of a skill call. A zero `set_velocity` is a stop: absent fields are zero. */
export function commandKind(skill: unknown, input: unknown): CommandKind {
  if (onlyReads(String(skill))) return 'read';
  if (skill === 'stop' || skill === 'cancel') return 'stop';
  if (skill === 'set_upper_body') return 'pose';
  if (skill !== 'set_velocity') return 'other';
  if (input === undefined || input === null) return 'stop';
  if (typeof input !== 'object' || Array.isArray(input)) return 'drive';
  const velocity = input as Readonly<Record<string, unknown>>;
  return VELOCITIES.every((name) => (velocity[name] ?? 0) === 0) ? 'stop' : 'drive';
}

/**
 * Returns a key for a skill call that is a stop: two stops with equal keys mean the same to a robot. Null if the call asks for
 * more than the end of the motion.
 */
export function plainStop(skill: string, input: Readonly<Record<string, unknown>>): string | null {
  const takes = skill === 'set_velocity' ? VELOCITIES : [];
  return Object.entries(input).every(([name, value]) => takes.includes(name) && value === 0) ? skill : null;
}

/** The kind of a call of `runtime.tools_call`, `runtime.cancel`, `runtime.emergency_stop` or `runtime.control`. */
export function callKind(method: string, payload: unknown): CommandKind {
  if (method === 'runtime.cancel' || method === EMERGENCY_STOP_METHOD) return 'stop';
  // Changing the driver is not a motion, so a stop does not undo it.
  if (method === CONTROL_METHOD) return 'read';
  const { name, input } = fieldsOf(payload);
  return commandKind(name, input);
}

/**
 * Returns whether a call ends all motion that was called before it. A cancel of one action does not: it ends only that action,
 * and follows the call that began it.
 */
export function stopsEverything(method: string, payload: unknown): boolean {
  if (callKind(method, payload) !== 'stop') return false;
  if (method !== 'runtime.cancel') return true;
  const { options } = fieldsOf(payload);
  return (fieldsOf(options).action_id ?? CANCEL_ACTIVE) === CANCEL_ACTIVE;
}

/** Returns an object's fields; an empty object for any other value. */
export const fieldsOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

/**
 * Returns whether the later command undoes the earlier command, so that the earlier command must not arrive after it. Nothing
 * undoes a stop; poses undo only poses; a drive takes the arms back, so it undoes poses too.
 */
export function overtakes(later: CommandKind, earlier: CommandKind): boolean {
  if (earlier === 'stop' || earlier === 'read' || later === 'read') return false;
  return later !== 'pose' || earlier !== 'drive';
}
