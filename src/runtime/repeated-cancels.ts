import { shownName } from '../common/shown-text.ts';
import { CANCELS_REPORTED_FROM, CANCELS_WITHIN_MS } from '../protocol/room/room-events.ts';
import { type Caller, callerKey, callerName } from '../protocol/wire/caller.ts';
import { driverIdentity, driverKey } from '../protocol/wire/driver.ts';
import type { ActiveEntry } from './action-entry.ts';
import type { CancelMoment } from './cancel-watch.ts';
import { onWall, type RuntimeCore } from './core.ts';

/**
 * Reports participants that repeatedly stop the actions of others. Every stop is accepted, regardless of its caller, so the only
 * remedy is to inform the room.
 */

/** The action that is stopped, or the command of a velocity that holds. */
export type StoppedAction = Pick<ActiveEntry, 'actionId' | 'name' | 'caller'>;

/** Maximum number of remembered stops of all participants together. */
const REMEMBERED_MAX = 256;

/**
 * Records that a caller stops a running action. If a participant has done so {@link CANCELS_REPORTED_FROM} times in 10 s, informs the
 * room, at most once every 10 s. Stops of own actions do not count, nor do stops by the driver, the robot's page or the service.
 */
export function noteCancel(core: RuntimeCore, entry: StoppedAction, by: Caller): void {
  const key = driverKey(by);
  const identity = driverIdentity(by);
  if (key === null || identity === null || key === core.lease.holder?.key || callerKey(entry.caller) === callerKey(by)) return;
  const watch = core.cancelWatch;
  const isRecent = ({ atMs }: CancelMoment): boolean => core.nowMs - atMs < CANCELS_WITHIN_MS;
  watch.cancels = [...watch.cancels.filter(isRecent), { key, atMs: core.nowMs }].slice(-REMEMBERED_MAX);
  watch.reported = watch.reported.filter(isRecent);
  const cancelled = watch.cancels.filter((one) => one.key === key).length;
  if (cancelled < CANCELS_REPORTED_FROM || watch.reported.some((one) => one.key === key)) return;
  watch.reported = [...watch.reported, { key, atMs: core.nowMs }];
  const event = {
    type: 'cancels_repeated',
    at_ms: onWall(core, core.nowMs),
    by: { identity, name: shownName(callerName(by)) },
    cancelled,
    within_ms: CANCELS_WITHIN_MS,
    last: { action_id: entry.actionId, name: entry.name, caller: shownName(callerName(entry.caller)) },
  } as const;
  core.outbox.push(() => core.deps.onEvent?.(event));
}
