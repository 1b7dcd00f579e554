import { DATA_DIR_DEFAULT, IS_CLONE } from './installation.ts';
import { readOptions, UsageError } from './read-options.ts';

export const START_USAGE = `npm start                    the local platform: SFU, control service, viewer
npm start -- --lan           the same, and phones and programs in this machine's network reach it
npm start -- --lan ADDRESS   the same, where this machine has several addresses
npm start -- --new-sfu-keys  the same, and every link to a robot that was given out before is void
${IS_CLONE ? 'npm run dev                  the first with hot reload\n' : ''}
Settings are variables of the environment:

  SIMPLESIM_PORT        port of viewer and control service        default: 8080
  SIMPLESIM_SFU_PORT    first of the SFU's three ports            default: 7880, or any free ones
  SIMPLESIM_DATA_DIR    where its data are                        default: ${DATA_DIR_DEFAULT}
  PLATFORM_API_KEY      fixes the API key                         default: one that is made and kept

README.md, docs/network.md and docs/deploy.md describe the rest.`;

/** The arguments of the platform's start. */
export interface StartArgs {
  dev: boolean;
  /** The address at which phones reach it; null for the only one. Absent if phones do not reach it. */
  lan?: { address: string | null };
  /** Whether the SFU gets new keys, which invalidate every earlier link. */
  newSfuKeys?: true;
}

/** Reads the arguments. @returns null if help is requested @throws UsageError */
export function readStartArgs(args: string[]): StartArgs | null {
  const options = {
    dev: { type: 'boolean' },
    lan: { type: 'string' },
    'new-sfu-keys': { type: 'boolean' },
    help: { type: 'boolean', short: 'h' },
  } as const;
  const { values } = readOptions(withLanValue(args), options, { command: 'npm start --' });
  if (values.help) return null;
  if (values.dev && !IS_CLONE)
    throw new UsageError('Hot reload needs the sources of the page. Clone the repository, and run `npm run dev` there.');
  return {
    dev: values.dev ?? false,
    ...(values['new-sfu-keys'] ? { newSfuKeys: true } : {}),
    ...(values.lan === undefined ? {} : { lan: { address: values.lan || null } }),
  };
}

/** `--lan` may have no value. Node's parser does not support an optional value. */
const withLanValue = (args: string[]): string[] =>
  args.map((arg, at) => (arg === '--lan' && (args[at + 1] ?? '-').startsWith('-') ? '--lan=' : arg));
