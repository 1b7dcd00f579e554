import { interrupted } from '../protocol/texts/error-texts.ts';
import { MAX_SIM_SPEED, MIN_SIM_SPEED } from '../protocol/wire/limits.ts';
import type { RuntimeProfile } from '../protocol/wire/profile.ts';
import type { BodyPart } from '../protocol/wire/skills.ts';
import { type KeptWorld, keepWorld, type NotRestored, restoreWorld } from '../simulation/kept-world.ts';
import { disposeWorld } from '../simulation/world.ts';
import type { AcceptedAction } from './action-record.ts';
import * as actions from './actions.ts';
import { type RuntimeCore, replaceWorld } from './core.ts';
import type { KeptEmergency } from './emergency-state.ts';
import { keepEmergency, restoreEmergency } from './emergency-stop.ts';
import type { KeptContract } from './kept-contract.ts';
import type { LostThing } from './lost-thing.ts';
import { bringToRest } from './stop.ts';

/** Version of the kept data's format. */
const FORMAT = 4;

/** An action that ran when its world was kept. */
export type RunningThen = Pick<AcceptedAction, 'actionId' | 'kind' | 'name' | 'input'>;

/** The data that survives a reload: the world, and the runtime's knowledge of it. It supports structured cloning. */
export interface KeptRuntime extends KeptContract {
  format: number;
  productVersion: string;
  profile: RuntimeProfile;
  world: KeptWorld;
  speed: number;
  stillSteps: number;
  armsAstray: boolean;
  headStopped: boolean;
  dropped: LostThing | null;
  /** Parts of the body that skills moved at that moment, in the order in which the skills began. */
  moving: BodyPart[][];
  /** The actions that ran at that moment, so that they can be reported as interrupted. */
  running: RunningThen[];
  emergency: KeptEmergency;
}

export type RestoreProblem = NotRestored | 'other_profile' | 'other_robot';

/** Captures the runtime between two steps; null if its physics is broken, because such a world must not be restored. */
export function keepRuntime(core: RuntimeCore): KeptRuntime | null {
  if (core.fault !== null) return null;
  const running = [...core.ledger.active.values()].filter(({ stage }) => stage.kind === 'running');
  return {
    format: FORMAT,
    productVersion: core.deps.productVersion,
    profile: core.contract.profile,
    world: keepWorld(core.world),
    speed: core.speed,
    stillSteps: core.stillSteps,
    armsAstray: core.armsAstray,
    headStopped: core.headStopped,
    dropped: core.dropped && { ...core.dropped },
    moving: running.map(({ claims }) => [...claims]),
    running: [...core.ledger.active.values()].map(({ actionId, kind, name, input }) => ({ actionId, kind, name, input })),
    emergency: keepEmergency(core),
    ...core.contract.keep(),
  };
}

/**
 * Replaces the present world with the kept one, equal in every bit, then brings moving parts to rest as for any interrupted
 * action. Actions that run now end as interrupted. When this fails, nothing has changed.
 * @returns the hash of the world as it was kept, or why it is refused
 */
export function restoreRuntime(
  core: RuntimeCore,
  kept: KeptRuntime,
): { ok: true; hash: string } | { ok: false; reason: RestoreProblem } {
  if (kept.format !== FORMAT || kept.productVersion !== core.deps.productVersion) return { ok: false, reason: 'other_version' };
  if (kept.profile !== core.contract.profile) return { ok: false, reason: 'other_profile' };
  if (!isWhole(kept)) return { ok: false, reason: 'damaged' };
  if (kept.world.robotId !== core.world.robot.model.id) return { ok: false, reason: 'other_robot' };
  const restored = restoreWorld(core.deps.rapier, kept.world, core.scenes);
  if (!restored.ok) return restored;
  for (const entry of [...core.ledger.active.values()]) actions.abandon(core, entry, interrupted(entry.name, entry.kind));
  // The memory of a world that broke in the middle of a step cannot be freed.
  if (core.fault === null) disposeWorld(core.world);
  replaceWorld(core, restored.world);
  core.speed = kept.speed;
  core.stillSteps = kept.stillSteps;
  core.armsAstray = kept.armsAstray;
  core.headStopped = kept.headStopped;
  core.dropped = kept.dropped && { ...kept.dropped };
  for (const parts of kept.moving) interrupt(core, parts);
  core.contract.restore(core, kept);
  restoreEmergency(core, kept.emergency);
  return { ok: true, hash: kept.world.hash };
}

/** Checks the data that the hash of the world does not cover and that would stop the restore half way, or the robot for good. */
const isWhole = ({ world, speed, moving, running, dropped, emergency }: KeptRuntime): boolean =>
  typeof world === 'object' &&
  world !== null &&
  speed >= MIN_SIM_SPEED &&
  speed <= MAX_SIM_SPEED &&
  Array.isArray(moving) &&
  moving.every(Array.isArray) &&
  Array.isArray(running) &&
  running.every((action) => typeof action === 'object' && action !== null) &&
  (dropped === null || typeof dropped === 'object') &&
  typeof emergency === 'object' &&
  emergency !== null &&
  Array.isArray(emergency.pressIds);

/** Interrupts a skill the way leaving it in the middle does. */
function interrupt(core: RuntimeCore, parts: readonly BodyPart[]): void {
  if (parts.includes('arms')) core.world.robot.head.setGaze(core.world.body, null);
  // It gives its commands before its first yield; after that it would wait until everything is still.
  bringToRest(core, () => parts).next();
}
