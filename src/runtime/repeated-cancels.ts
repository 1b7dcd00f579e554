import { type Caller, callerKey, callerName } from '../protocol/caller.ts';
import { driverIdentity, driverKey } from '../protocol/driver.ts';
import { CANCELS_TOLD_FROM, CANCELS_WITHIN_MS } from '../protocol/room-events.ts';
import { shownName } from '../protocol/shown-text.ts';
import type { ActiveEntry } from './action-entry.ts';
import type { CancelMoment } from './cancel-watch.ts';
import { onWall, type RuntimeCore } from './core.ts';

/**
 * Who stops what others run, again and again. A stop is never refused, whoever asks for it: what can be done is to let everybody in the
 * room know who does it.
 */

/** The action that is stopped, or the command of a velocity that holds. */
export type StoppedAction = Pick<ActiveEntry, 'actionId' | 'name' | 'caller'>;

/** So many at most are remembered, of all participants together. */
const REMEMBERED_MAX = 256;

/**
 * Notes that a caller stops a running action, and tells the room of a participant that has done so {@link CANCELS_TOLD_FROM} times in
 * 10 s, once in each 10 s. Own actions do not count, nor what the one who drives, the robot's page and the service stop.
 */
export function noteCancel(core: RuntimeCore, entry: StoppedAction, by: Caller): void {
  const key = driverKey(by);
  const identity = driverIdentity(by);
  if (key === null || identity === null || key === core.lease.holder?.key || callerKey(entry.caller) === callerKey(by)) return;
  const watch = core.cancelWatch;
  const isRecent = ({ atMs }: CancelMoment): boolean => core.nowMs - atMs < CANCELS_WITHIN_MS;
  watch.cancels = [...watch.cancels.filter(isRecent), { key, atMs: core.nowMs }].slice(-REMEMBERED_MAX);
  watch.told = watch.told.filter(isRecent);
  const cancelled = watch.cancels.filter((one) => one.key === key).length;
  if (cancelled < CANCELS_TOLD_FROM || watch.told.some((one) => one.key === key)) return;
  watch.told = [...watch.told, { key, atMs: core.nowMs }];
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
