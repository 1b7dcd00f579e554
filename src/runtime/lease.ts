import type { Caller } from '../protocol/wire/caller.ts';
import { commandKind } from '../protocol/wire/command-kinds.ts';
import {
  ASKERS_MAX,
  type ControlAnswer,
  type ControlRequest,
  DRIVER_SILENT_MS,
  type Driver,
  type DriverChange,
  type DriverFacts,
  type DriverKind,
  driverIdentity,
  driverKey,
  driverName,
} from '../protocol/wire/driver.ts';
import type { RuntimeError } from '../protocol/wire/error-codes.ts';
import { METHOD_REQUESTS } from '../protocol/wire/methods.ts';
import { BY_OWNER } from '../protocol/wire/owner-order.ts';
import type { ActiveEntry } from './action-entry.ts';
import * as actions from './actions.ts';
import { onWall, type RuntimeCore } from './core.ts';
import * as texts from './driver-texts.ts';
import { validate } from './input-problems.ts';
import { countLeaseChange } from './lease-limit.ts';
import type { Asking, Holder } from './lease-state.ts';
import { encodeGuard, encodeReply } from './reply.ts';
import type { Call, Reply } from './runtime-call.ts';

/**
 * The lease of the robot. While one participant drives, only its commands are accepted; without a driver, any caller may command.
 * The driver is identified by the connection that the SFU vouches for. When the lease ends, the driver's actions end and the body
 * stops, so that the next driver takes over a robot at rest.
 */

/** `runtime.control`: takes, asks for, gives, renews or releases the lease; answers at once, in the form of an action's end. */
export function controlCall(core: RuntimeCore, { caller, payload }: Call, reply: Reply): void {
  const request = validate(METHOD_REQUESTS['runtime.control'], payload);
  if (!request.ok) {
    reply(encodeGuard(request.error));
    return;
  }
  const key = driverKey(caller);
  const refusal = key === null ? null : carryOut(core, { ...about(core, caller, request.value), key }, request.value);
  reply(refusal ? encodeGuard(refusal) : answer(core, key));
}

/** Returns the refusal if another participant drives, else null. Stops and reads are always accepted: safety is not leased. */
export function refusal({ lease }: RuntimeCore, caller: Caller, skill: string, input: unknown): RuntimeError | null {
  if (lease.holder === null) return null;
  const key = driverKey(caller);
  if (key === null || key === lease.holder.key || isFree(skill, input)) return null;
  return texts.notController(skill, driverOf(lease));
}

/** Records a call as a sign of life if its caller drives. */
export function hear({ lease: { holder }, nowMs }: RuntimeCore, caller: Caller): void {
  if (holder !== null && driverKey(caller) === holder.key) holder.heardAtMs = nowMs;
}

/** Ends the lease of a driver that is silent for too long, and forgets stale requests. Runs before each call and each step. */
export function expire(core: RuntimeCore): void {
  const { lease, nowMs } = core;
  const { holder } = lease;
  if (holder === null) return;
  const silentMs = DRIVER_SILENT_MS[core.contract.profile];
  if (nowMs - holder.heardAtMs >= silentMs) change(core, null, 'silent');
  else if (lease.askers.some(({ heardAtMs }) => nowMs - heardAtMs >= silentMs))
    lease.askers = lease.askers.filter(({ heardAtMs }) => nowMs - heardAtMs < silentMs);
}

/** Records that the runtime was suspended. It could not receive calls then, so that time does not count as silence. */
export function noteGap({ lease, nowMs }: RuntimeCore, gapMs: number): void {
  for (const one of [lease.holder, ...lease.askers]) if (one) one.heardAtMs = Math.min(nowMs, one.heardAtMs + gapMs);
}

/** Handles the departure of a participant from the room. */
export function noteLeft(core: RuntimeCore, identity: string): void {
  const { lease } = core;
  const key = driverKey({ kind: 'participant', identity });
  lease.askers = lease.askers.filter((asking) => asking.key !== key);
  if (lease.holder?.key === key) change(core, null, 'left');
}

/** Carries out the owner's order about who drives; null: no one. @param orderedMs time of the order on the runtime's own clock */
export function handOver(core: RuntimeCore, orderedMs: number, next: (RequesterFacts & Pick<Asking, 'by'>) | null): void {
  const { holder } = core.lease;
  const key = next && driverKey(next.by);
  if (key === (holder?.key ?? null)) return;
  const asking = next && key !== null ? { ...about(core, next.by, next), key } : null;
  change(core, asking, holder === null ? 'taken' : 'taken_over', BY_OWNER);
  // Later orders are compared with the time of this order, not with the time of its arrival.
  if (core.lease.holder) core.lease.holder.tookAtMs = orderedMs;
}

/** Returns the driver's part of the state. */
export const driverPart = ({ lease }: RuntimeCore): { driver: Driver | null } => ({
  driver: lease.holder && driverOf(lease),
});

/** Returns who drives, for viewers; null if no one drives. */
export const driverFacts = ({ lease: { holder } }: RuntimeCore): DriverFacts | null => holder && view(holder);

/** @returns why it is refused, or null */
function carryOut(core: RuntimeCore, asking: Asking, { action, to }: ControlRequest): RuntimeError | null {
  const { lease } = core;
  const { holder } = lease;
  const isDriver = holder?.key === asking.key;
  switch (action) {
    case 'take':
    case 'ask':
      if (isDriver) return null;
      if (holder === null) return take(core, asking, 'taken');
      // A person at the robot takes precedence.
      if (action === 'take' && asking.by.kind === 'page' && !asking.by.agent) return take(core, asking, 'taken_over');
      return action === 'take' ? texts.drivenByAnother(driverOf(lease)) : ask(core, asking);
    case 'renew':
      return isDriver ? null : texts.notDriving(holder && driverOf(lease), lease.lost?.key === asking.key ? lease.lost : null);
    case 'release':
      lease.askers = lease.askers.filter(({ key }) => key !== asking.key);
      if (isDriver) change(core, null, 'released');
      return null;
    case 'give': {
      if (!isDriver) return texts.notDriving(holder && driverOf(lease));
      const next = to === undefined ? lease.askers[0] : lease.askers.find(({ by }) => driverIdentity(by) === to);
      if (!next) return texts.giveToWhom(lease.askers.map(view));
      change(core, next, 'given');
      return null;
    }
  }
}

function take(core: RuntimeCore, asking: Asking, why: DriverChange): RuntimeError | null {
  const tooOften = countLeaseChange(core.lease, asking.key, core.nowMs);
  if (tooOften === null) change(core, asking, why);
  return tooOften;
}

function ask(core: RuntimeCore, asking: Asking): RuntimeError | null {
  const { lease } = core;
  const before = lease.askers.find(({ key }) => key === asking.key);
  if (before) {
    before.heardAtMs = core.nowMs;
    return null;
  }
  if (lease.askers.length >= ASKERS_MAX) return texts.tooManyAsk(driverOf(lease));
  const tooOften = countLeaseChange(lease, asking.key, core.nowMs);
  if (tooOften !== null) return tooOften;
  lease.askers = [...lease.askers, asking];
  const event = { type: 'control_asked', at_ms: onWall(core, core.nowMs), asker: view(asking), driver: driverOf(lease) } as const;
  core.outbox.push(() => core.deps.onEvent?.(event));
  return null;
}

/** Transfers or ends the lease, and notifies the room. */
function change(core: RuntimeCore, next: Asking | null, why: DriverChange, by?: string): void {
  const { lease } = core;
  const before = lease.holder;
  const sinceMs = onWall(core, core.nowMs);
  lease.holder = next && { ...next, sinceMs, heardAtMs: core.nowMs, tookAtMs: core.nowMs };
  lease.askers = next === null ? [] : lease.askers.filter(({ key }) => key !== next.key);
  if (before) lease.lost = { key: before.key, why, by };
  const driver = lease.holder && driverOf(lease);
  if (core.fault === null) standStill(core, before, texts.droveNoMore(why, driver, by));
  const previous = before && view(before);
  core.outbox.push(() =>
    core.deps.onEvent?.({ type: 'driver_changed', at_ms: sinceMs, driver, previous, why, ...(by ? { by } : {}) }),
  );
}

/** Ends the actions of everyone except the driver; if no one drives, the actions of the last driver. */
function standStill(core: RuntimeCore, before: Holder | null, error: RuntimeError): void {
  const { lease } = core;
  const goesOn = (entry: ActiveEntry): boolean => {
    const key = driverKey(entry.caller);
    return key === null || (lease.holder === null ? key !== before?.key : key === lease.holder.key);
  };
  for (const entry of [...core.ledger.active.values()]) {
    if (entry.kind !== 'tool' || isFree(entry.name, entry.input) || goesOn(entry)) continue;
    actions.requestStop(core, entry, error);
  }
  core.contract.driverChanged(core, lease.holder?.by ?? DRIVERLESS);
}

const DRIVERLESS: Caller = { kind: 'robot', what: 'the robot, which no one drives any more' };

const isFree = (skill: string, input: unknown): boolean => {
  const kind = commandKind(skill, input);
  return kind === 'stop' || kind === 'read';
};

type RequesterFacts = Pick<ControlRequest, 'name' | 'kind'>;

function about(core: RuntimeCore, caller: Caller, { name, kind }: RequesterFacts): Omit<Asking, 'key'> {
  const own: DriverKind = caller.kind !== 'page' ? 'program' : caller.agent ? 'agent' : 'person';
  return {
    by: caller,
    name: driverName(caller, name),
    kind: kind ?? own,
    sinceMs: onWall(core, core.nowMs),
    heardAtMs: core.nowMs,
  };
}

const view = ({ by, name, kind, sinceMs }: Asking): DriverFacts => ({
  identity: driverIdentity(by),
  name,
  kind,
  since_ms: sinceMs,
});

/** @param lease with a holder */
const driverOf = ({ holder, askers }: RuntimeCore['lease']): Driver => ({
  ...view(holder as Holder),
  asked_by: askers.map(view),
});

function answer(core: RuntimeCore, key: string | null): string {
  const { holder } = core.lease;
  const result: ControlAnswer = {
    ...driverPart(core),
    you_drive: holder !== null && holder.key === key,
    renew_within_ms: DRIVER_SILENT_MS[core.contract.profile],
  };
  const atMs = onWall(core, core.nowMs);
  const meta = { action_id: core.deps.newActionId(), started_at_ms: atMs, finished_at_ms: atMs, duration_ms: 0 };
  return encodeReply({ status: 'done', result, meta });
}
