import { PlatformNotAvailableError } from '../errors.ts';

/** @throws PlatformNotAvailableError when a blocked feature is asked for */
export function refuseBlocked(feature: string, value: unknown): void {
  if (value === undefined) return;
  throw new PlatformNotAvailableError(
    feature,
    'the platform chooses it; in the simulator, invoke the skill select_scene once the session is joined',
  );
}
