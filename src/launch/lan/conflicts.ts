import { UsageError } from '../read-options.ts';

/**
 * Rejects options and settings that conflict with a platform that phones reach.
 * @param address at which phones reach it
 * @throws UsageError with what to do
 */
export function refuseLanConflicts(address: string, dev: boolean, env: NodeJS.ProcessEnv): void {
  if (dev) {
    throw new UsageError(
      'Hot reload serves files of this machine to every client, so it is for this machine alone. For a phone start with: npm start -- --lan',
    );
  }
  if (env.LIVEKIT_URL) {
    throw new UsageError(
      'LIVEKIT_URL names an SFU of its own, and --lan brings one that a phone reaches. Unset LIVEKIT_URL, or leave --lan away and put https before the platform (docs/deploy.md).',
    );
  }
  if (env.SIMPLESIM_HOST && env.SIMPLESIM_HOST !== address) {
    throw new UsageError(
      `SIMPLESIM_HOST is "${env.SIMPLESIM_HOST}", and --lan serves phones at ${address}. Unset SIMPLESIM_HOST: it is for the control service alone (npm run service).`,
    );
  }
}
