import { parseArgs } from 'node:util';
import { UsageError } from './service-args.ts';

export const START_USAGE = `npm start             the local platform: SFU, control service, viewer
npm run dev           the same with hot reload

Neither takes arguments. Settings are variables of the environment:

  SIMPLESIM_PORT        port of viewer and control service        default: 8080
  SIMPLESIM_SFU_PORT    first of the SFU's three ports            default: 7880, or any free ones
  SIMPLESIM_DATA_DIR    where its data are                        default: .simplesim in the project
  PLATFORM_API_KEY      fixes the API key                         default: one that is made and kept

README.md and docs/control-service.md have the rest.`;

/** Reads the arguments. @returns null when help is asked for @throws UsageError */
export function readStartArgs(args: string[]): { dev: boolean } | null {
  const options = { dev: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } } as const;
  try {
    const { values } = parseArgs({ args, options, allowPositionals: false });
    return values.help ? null : { dev: values.dev ?? false };
  } catch (error) {
    // A port that is asked for and not taken would be looked for in vain.
    throw new UsageError(`${error instanceof Error ? error.message : String(error)}\n\n${START_USAGE}`);
  }
}
