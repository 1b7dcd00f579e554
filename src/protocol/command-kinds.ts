import { CANCEL_ACTIVE } from './methods.ts';
import { onlyReads } from './profile.ts';

/**
 * What a command is to the others of the same robot, where the robot holds what it is told (a worker): a `stop` ends motion, a `drive` sets the
 * velocity, a `pose` sets the arms, an `other` may do anything, a `read` does nothing.
 */
export type CommandKind = 'stop' | 'drive' | 'pose' | 'other' | 'read';

/** The parts of a velocity, of the worker and of the simulator. */
const VELOCITIES = ['vx', 'vy', 'vyaw', 'wz'];

/** The kind of a skill call. A zero `set_velocity` is a stop: what it leaves out is zero. */
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

/** Of a skill call that is a stop: two with equal answers mean the same to a robot. Null where it says more than that the motion ends. */
export function plainStop(skill: string, input: Readonly<Record<string, unknown>>): string | null {
  const takes = skill === 'set_velocity' ? VELOCITIES : [];
  return Object.entries(input).every(([name, value]) => takes.includes(name) && value === 0) ? skill : null;
}

/** The kind of a call of `runtime.tools_call` or `runtime.cancel`. */
export function callKind(method: string, payload: unknown): CommandKind {
  if (method === 'runtime.cancel') return 'stop';
  const { name, input } = fieldsOf(payload);
  return commandKind(name, input);
}

/**
 * Whether a call ends motion whatever was called before it. A cancel of one action does not: it ends that one alone, and comes behind the call
 * that began it.
 */
export function stopsEverything(method: string, payload: unknown): boolean {
  if (callKind(method, payload) !== 'stop') return false;
  if (method !== 'runtime.cancel') return true;
  const { options } = fieldsOf(payload);
  return (fieldsOf(options).action_id ?? CANCEL_ACTIVE) === CANCEL_ACTIVE;
}

/** What an object has under its names; nothing of anything else. */
export const fieldsOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

/**
 * Whether the later command undoes the earlier one, so that the earlier one must not come behind it. A stop is undone by nothing; poses undo
 * poses alone; a drive takes the arms back, so it undoes poses too.
 */
export function overtakes(later: CommandKind, earlier: CommandKind): boolean {
  if (earlier === 'stop' || earlier === 'read' || later === 'read') return false;
  return later !== 'pose' || earlier !== 'drive';
}
