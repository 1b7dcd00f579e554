import { readOptions, UsageError, wrongUsage } from './read-options.ts';

/** The operator's command to the service. */
export type ServiceVerb =
  | { verb: 'serve'; host: string | undefined; port: string | undefined }
  | { verb: 'keys create'; account: string; name: string; expiresInMs: number | null }
  | { verb: 'keys list'; account: string | undefined }
  | { verb: 'keys revoke'; idOrPrefix: string; endSessions: boolean }
  | { verb: 'robots issue'; name: string; model: string }
  | { verb: 'robots reissue-pin'; robotId: string }
  | { verb: 'robots list' };

const COMMAND = 'npm run service --';
export const USAGE = `${COMMAND} <command>

  serve [--host 127.0.0.1] [--port 8080]     the control service alone, on an SFU and a database of your own
  keys create --account NAME [--name TEXT] [--expires-in 90d]
                                             makes an API key for an account and prints it once
  keys list [--account NAME]                 every key: whose, when it was made, ends, was revoked
  keys revoke <id or prefix> [--end-sessions]
                                             the next request with the key is refused; with --end-sessions all participants are
                                             removed from the rooms of its account, too
  robots issue --name NAME --model MODEL     makes a physical robot known; prints its id and, once, its PIN
  robots reissue-pin <id>                    gives a robot a new PIN and prints it once; the old one becomes void
  robots list                                every robot, its owner, and whether its PIN is valid

The database is the PostgreSQL server of DATABASE_URL, else the data folder (SIMPLESIM_DATA_DIR, else .simplesim).`;

const TEXT_MAX_LENGTH = 255;
const UNITS_MS: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000 };
/** The start of a key that lists contain; see `secrets.ts`. */
const PREFIX_LENGTH = 12;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Reads the arguments of a command. @throws UsageError */
export function readServiceArgs(args: string[]): ServiceVerb {
  const [first = '', second = ''] = args;
  if (first === 'serve') {
    const { host, port } = read(args.slice(1), ['host', 'port']);
    // No address means every address: an empty variable must not open the service to the network.
    if (host?.trim() === '') throw new UsageError(`--host is empty. Name an address, or leave it away for 127.0.0.1.`);
    return { verb: 'serve', host, port };
  }
  const rest = args.slice(2);
  switch (`${first} ${second}`) {
    case 'keys create': {
      const options = read(rest, ['account', 'name', 'expires-in']);
      const account = need(options, 'account');
      return {
        verb: 'keys create',
        account,
        name: textOf(options.name ?? account, 'name'),
        expiresInMs: spanOf(options['expires-in']),
      };
    }
    case 'keys list':
      return { verb: 'keys list', account: read(rest, ['account']).account };
    case 'keys revoke': {
      const options = { 'end-sessions': { type: 'boolean' } } as const;
      const { values, positionals } = readOptions(rest, options, { command: COMMAND, positionalsMax: 1 });
      const idOrPrefix = positionals[0]?.replace(/…$/, '') ?? '';
      if (!UUID.test(idOrPrefix) && !/^[\w-]{12,}$/.test(idOrPrefix)) {
        throw new UsageError('Name the key by its id, or by the 12 characters that keys list shows: keys revoke <id or prefix>.');
      }
      if (!UUID.test(idOrPrefix) && idOrPrefix.length > PREFIX_LENGTH) {
        // All users of the machine can see arguments, so this way of passing keys is not offered.
        throw new UsageError(
          `This looks like a whole key. Name its start only: keys revoke ${idOrPrefix.slice(0, PREFIX_LENGTH)}`,
        );
      }
      return { verb: 'keys revoke', idOrPrefix, endSessions: values['end-sessions'] ?? false };
    }
    case 'robots issue': {
      const options = read(rest, ['name', 'model']);
      return { verb: 'robots issue', name: need(options, 'name'), model: need(options, 'model') };
    }
    case 'robots reissue-pin': {
      const robotId = readOptions(rest, {}, { command: COMMAND, positionalsMax: 1 }).positionals[0] ?? '';
      if (!UUID.test(robotId))
        throw new UsageError('Name the robot by its id, as robots list shows it: robots reissue-pin <id>.');
      return { verb: 'robots reissue-pin', robotId };
    }
    case 'robots list':
      read(rest, []);
      return { verb: 'robots list' };
  }
  throw wrongUsage(`There is no command "${[first, second].join(' ').trim()}".`, COMMAND);
}

/** Reads options that each take a value. */
function read<K extends string>(args: string[], names: K[]): Partial<Record<K, string>> {
  const options = Object.fromEntries(names.map((name) => [name, { type: 'string' as const }]));
  return readOptions(args, options, { command: COMMAND }).values as Partial<Record<K, string>>;
}

function need<K extends string>(options: Partial<Record<K, string>>, name: K): string {
  const value = options[name];
  if (value === undefined) throw wrongUsage(`--${name} is missing.`, COMMAND);
  return textOf(value, name);
}

function textOf(value: string, name: string): string {
  // Control characters would control the terminal that lists them.
  if (!/^\P{Cc}+$/u.test(value) || value.length > TEXT_MAX_LENGTH || value.trim() !== value) {
    throw new UsageError(`--${name} must be text of 1 to ${TEXT_MAX_LENGTH} characters on one line, without spaces around it.`);
  }
  return value;
}

function spanOf(value: string | undefined): number | null {
  if (value === undefined) return null;
  const [, count, unit] = /^([1-9]\d{0,4})([mhd])$/.exec(value) ?? [];
  if (count === undefined || unit === undefined) {
    throw new UsageError('--expires-in must be a number of minutes, hours or days, as in 30m, 12h or 90d.');
  }
  return Number(count) * (UNITS_MS[unit] ?? 0);
}
