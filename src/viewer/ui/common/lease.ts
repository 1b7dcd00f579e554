import { type Driver, isPageAgent, saidDriver } from '../../../protocol/wire/driver.ts';
import type { ViewerState } from '../../engine/types.ts';
import { beginning } from './texts.ts';

type Seen = Pick<ViewerState, 'runtime' | 'visit' | 'participants'>;

/**
 * Returns the holder of the lease, from the robot's replies for pages that may call it, otherwise from its stream. Null if no one
 * holds it; undefined while that is unknown.
 */
export function leaseOf({ runtime, visit }: Pick<Seen, 'runtime' | 'visit'>): Driver | null | undefined {
  if (runtime) return runtime.robot.extra.driver ?? null;
  const seen = visit?.status?.driver;
  return seen && { ...seen, asked_by: [] };
}

/** Returns the identity under which the robot knows this page; null for its own page, undefined while it is outside the room. */
export const ownIdentity = ({ visit, participants }: Pick<Seen, 'visit' | 'participants'>): string | null | undefined =>
  visit === null ? null : participants.find(({ isSelf }) => isSelf)?.identity;

/** Returns the driver if it is another caller, so that the robot rejects this page's commands. Null otherwise. */
export function anotherDrives(seen: Seen): Driver | null {
  const driver = leaseOf(seen);
  return driver && (driver.identity !== ownIdentity(seen) || isPageAgent(driver)) ? driver : null;
}

/** Returns why this page's input has no effect while another caller drives, and what to do; null while input has an effect. */
export function withoutLeaseText(seen: Seen): string | null {
  const driver = anotherDrives(seen);
  return driver && drivenText(driver, seen);
}

/** Returns why input has no effect while this driver has the lease, and what to do. */
export const drivenText = (driver: Driver, { visit }: Pick<Seen, 'visit'>): string =>
  `${beginning(saidDriver(driver))} drives this robot. ${visit === null ? 'Take it over' : 'Ask for it'} at the top of the page.`;
