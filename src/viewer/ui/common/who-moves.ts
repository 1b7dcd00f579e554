import { type Driver, saidDriver } from '../../../protocol/wire/driver.ts';
import type { ActionView, ViewerState } from '../../engine/types.ts';
import { leaseOf } from './lease.ts';
import { ownHand } from './own-hand.ts';
import { callerName } from './texts.ts';

type Seen = Pick<ViewerState, 'actions' | 'known' | 'runtime'>;
/**
 * The state of a remote robot lists others' actions without their caller. The caller is the driver, because no one else may call.
 */
type SeenWithLease = Seen & Pick<ViewerState, 'visit'>;

/** Returns whether a cockpit of this page sent the action. */
const isMine = ({ caller }: ActionView): boolean => ownHand(caller) !== null;

/** Returns when a command reached the body, milliseconds since the epoch; for a stroke, the latest of its commands. */
const reachedAtMs = ({ result, startedAtMs }: ActionView): number => result?.meta.started_at_ms ?? startedAtMs;

/** A velocity or a stop from another caller. */
export interface OthersCommand {
  who: string;
  name: string;
  atMs: number;
}

/** Returns the latest velocity or stop of another caller since a time, including another part of this page; null without one. */
export function othersCommandSince({ actions, known }: Seen, sinceMs: number): OthersCommand | null {
  const [latest] = actions
    .filter((action) => (action.name === 'set_velocity' || action.name === 'stop') && action.kind === 'tool' && !isMine(action))
    .filter((action) => reachedAtMs(action) > sinceMs)
    .toSorted((one, other) => reachedAtMs(other) - reachedAtMs(one));
  return latest ? { who: callerName(latest.caller, known), name: latest.name, atMs: reachedAtMs(latest) } : null;
}

/** A velocity that only another command ends. */
export interface HeldVelocity {
  /** Whether a cockpit of this page sent it. */
  mine: boolean;
  /** Null when the page has no record of the call. */
  who: string | null;
  /** Null when the page has no record of the call, milliseconds since the epoch. */
  sinceMs: number | null;
  /** The velocity that the robot keeps, body frame, m/s and rad/s. */
  command: { vx: number; vy: number; wz: number };
}

/** Returns the velocity that the robot keeps, and its sender; null while it keeps none. */
export function heldVelocity({ actions, known, runtime, visit }: SeenWithLease): HeldVelocity | null {
  const extra = runtime?.robot.extra;
  if (!extra?.control?.velocity_holds) return null;
  const [latest] = actions
    .filter(({ name, kind, status, result }) => {
      if (name !== 'set_velocity' || kind !== 'tool') return false;
      // An ended action that is known only from the state contains no result.
      const mayHold = result?.result === undefined ? status === 'done' : result.result.holds === true;
      return status === 'running' || mayHold;
    })
    .toSorted((one, other) => reachedAtMs(other) - reachedAtMs(one));
  return {
    mine: latest !== undefined && isMine(latest),
    who: latest ? senderName(latest, known, visit === null ? null : leaseOf({ runtime, visit })) : null,
    sinceMs: latest ? reachedAtMs(latest) : null,
    command: extra.command,
  };
}

/** Returns the sender's name; if the robot does not report the sender, the driver's at that time. */
function senderName(action: ActionView, known: Seen['known'], driver: Driver | null | undefined): string {
  const isUnreported = action.caller.kind === 'robot';
  return isUnreported && driver && driver.since_ms <= reachedAtMs(action) ? saidDriver(driver) : callerName(action.caller, known);
}

/** The current activity of a cockpit. */
interface CockpitDoing {
  arms: string;
  wanted: { vx: number; vy: number; wz: number };
  lettingGo: boolean;
}

/**
 * Returns whether the robot keeps a velocity that the cockpit does not control: another caller's, or an outdated one of its own.
 */
export function isUnattended(held: HeldVelocity | null, { arms, wanted, lettingGo }: CockpitDoing): boolean {
  if (held === null) return false;
  // Arm mode begins with a stop.
  const attended = lettingGo || arms === 'entering' || wanted.vx !== 0 || wanted.vy !== 0 || wanted.wz !== 0;
  return !held.mine || !attended;
}

/** An open trajectory session, with its sender. */
export interface OpenSession {
  who: string;
  sinceMs: number;
  packets: number;
}

/** Returns the open trajectory session, except one of this page while its cockpit streams; null without one. */
export function othersSession({ actions, known }: Seen, streaming: boolean): OpenSession | null {
  const open = actions.find(({ name, status, kind }) => name === 'set_upper_body' && status === 'running' && kind === 'tool');
  if (!open || (streaming && open.caller.kind === 'page')) return null;
  return { who: callerName(open.caller, known), sinceMs: open.startedAtMs, packets: open.progress?.current ?? 0 };
}
