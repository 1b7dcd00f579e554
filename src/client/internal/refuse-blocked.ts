import { PlatformNotAvailableError } from '../errors.ts';

/** @throws PlatformNotAvailableError when the caller asks for a blocked feature */
export function refuseBlocked(feature: string, value: unknown): void {
  if (value === undefined) return;
  throw new PlatformNotAvailableError(
    feature,
    'the platform chooses it; a simulated robot’s scene is chosen by sceneId, or by its skill select_scene',
  );
}
