/**
 * `npm run simplesim -- class FILE`: creates a robot for each name of a list, and a page to print with their links and, on
 * request, keys.
 */
import { createHash } from 'node:crypto';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '../client/index.ts';
import { shownLine, shownName } from '../common/shown-text.ts';
import { DEFAULT_SETTINGS } from '../control-service/deps.ts';
import { type ProcessLock, takeProcessLock } from '../control-service/process-lock.ts';
import { thrownCode, thrownText } from '../control-service/thrown.ts';
import { readBounded, unreadable } from '../headless/read-bounded.ts';
import { ROBOT_TEXT_MAX_LENGTH } from '../protocol/client-models/http.ts';
import { LAN_CERTIFICATE_PATH, LAN_COMMAND } from '../protocol/service/lan.ts';
import { ROOM_KEY_DEFAULT_TTL_S } from '../protocol/wire/limits.ts';
import { oneLine } from '../protocol/wire/one-line.ts';
import { DEFAULT_ROBOT_ID } from '../protocol/wire/robot.ts';
import { ROBOT_MODEL_NAMES } from '../protocol/wire/robot-model-names.ts';
import { type ClassRow, classPage, type ProgramAccess } from './class-page.ts';
import { EXIT } from './exit-codes.ts';
import type { LocalFile } from './local-file.ts';
import { type LocalAccount, openLocalAccount, robotLink } from './local-links.ts';
import { operate } from './operate.ts';
import { print, printTrouble } from './output.ts';
import { readOptions, UsageError, wrongUsage } from './read-options.ts';
import { readDataDir } from './service-settings.ts';

const COMMAND = 'npm run simplesim -- class';
const USAGE = `${COMMAND} names.txt [--lan] [--out class.html]

  Makes a robot for each line of the file, where the account has none of that name yet, opens its session, and writes a page to print with
  names, links and QR codes. The platform of "npm start" has to run; with "npm start -- --lan" the links open on every machine in the
  network. The links end after four hours: run the command again for the next lesson.

Options
  --lan         for pupils whose programs run on machines of their own: each pupil gets an account of their own, with the robot of their
                name, and the page also has its API key. The keys end with the links. "npm start -- --lan" has to run.
  --out FILE    the page                                    default: class.html
  --help        this`;

const DEFAULT_OUT = 'class.html';
/** The name of the page in the data folder. */
const LOCK_FILE = 'class.lock';
const LOOKS_EVERY_MS = 200;
/** The number of open sessions that an account of the local platform may have. */
const NAMES_MAX = DEFAULT_SETTINGS.accountLimits.openSessions;
const FILE_MAX_BYTES = 256 * 1024;
/** The prefix of a pupil's account, before the pupil's name. The name of the platform's own account never begins with it. */
const PUPIL_ACCOUNT = 'pupil ';
const PUPIL_KEY_NAME = 'class';
const MODEL = ROBOT_MODEL_NAMES[DEFAULT_ROBOT_ID];

try {
  const args = readArgs(process.argv.slice(2));
  if (args === null) print(USAGE);
  else await makeClass(args);
} catch (error) {
  printTrouble(error);
  process.exit(error instanceof UsageError ? EXIT.wrongUsage : EXIT.couldNotRun);
}

async function makeClass({ namesFile, out, lan: withKeys }: ClassArgs): Promise<void> {
  const names = await readNames(namesFile, withKeys ? ROBOT_TEXT_MAX_LENGTH - PUPIL_ACCOUNT.length : ROBOT_TEXT_MAX_LENGTH);
  const dataDir = readDataDir(process.env);
  const account = openLocalAccount(dataDir, withKeys);
  const lan = account.local.lan_url !== undefined;
  const endsAt = new Date(Date.now() + ROOM_KEY_DEFAULT_TTL_S * 1_000);
  const programs = withKeys ? programAccess(account.local) : null;
  const lock = await takeLock(join(dataDir, LOCK_FILE));
  const { rows, newRobots } = await makeRows(account, names, programs !== null).finally(() => lock.release());
  writePage(out, classPage(rows, endsAt, programs));
  print(
    `${shownLine(out)}: ${rows.length} robots, ${newRobots} of them new. The page holds secrets: print it, and delete the file after the lesson.`,
  );
  if (!lan) print(`The links open on this machine alone. For the machines of the class: ${LAN_COMMAND}, then this again.`);
}

/** Commands that run at once take turns: each reads which robots exist, and creates the missing ones. */
async function takeLock(path: string): Promise<ProcessLock> {
  for (;;) {
    const lock = takeProcessLock(path);
    if ('release' in lock) return lock;
    await sleep(LOOKS_EVERY_MS);
  }
}

/**
 * Finds or creates the robot of each name, and opens its session.
 * @param withKeys whether each robot belongs to its pupil's account, with a key of that account; otherwise all belong to the
 * platform's own account
 */
async function makeRows(
  account: LocalAccount,
  names: readonly string[],
  withKeys: boolean,
): Promise<{ rows: ClassRow[]; newRobots: number }> {
  const { local } = account;
  // This call also checks that the platform runs, before any key is created.
  const ownRobots = await robotsByName(account);
  const rows: ClassRow[] = [];
  let newRobots = 0;
  for (const name of names) {
    const apiKey = withKeys ? await keyOfPupil(name) : undefined;
    const owner =
      apiKey === undefined ? account : { local, client: new Client({ rcsUrl: local.rcs_url, apiKey, maxRetries: 0 }) };
    const known = (apiKey === undefined ? ownRobots : await robotsByName(owner)).get(name);
    const robotId = known ?? (await owner.client.robots.create({ name, model: MODEL })).robot.id;
    const link = await robotLink(owner, robotId, { lan: local.lan_url !== undefined });
    rows.push({ name, robotId, link, apiKey });
    if (known === undefined) newRobots += 1;
  }
  return { rows, newRobots };
}

/** @throws Error if the platform was started before its file contained a certificate */
function programAccess({ lan_url: url, lan_certificate: certificate }: LocalFile): ProgramAccess {
  if (!url || !certificate) throw new Error(`The platform was started by an earlier version. Start it again: ${LAN_COMMAND}`);
  return {
    rcsUrl: `${url}/rcs`,
    certificateUrl: `${url}${LAN_CERTIFICATE_PATH}`,
    certificateSha256: createHash('sha256').update(certificate).digest('hex'),
  };
}

/** Returns a new key of the pupil's own account. It ends with the link, so that a page left behind gives no access later. */
async function keyOfPupil(name: string): Promise<string> {
  const account = ['--account', `${PUPIL_ACCOUNT}${name}`, '--name', PUPIL_KEY_NAME];
  const { out } = await operate(process.env, ['keys', 'create', ...account, '--expires-in', `${ROOM_KEY_DEFAULT_TTL_S / 60}m`]);
  return out;
}

/** Returns the ids of the account's robots; of several with one name, the oldest. */
async function robotsByName({ client }: LocalAccount): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for await (const { name, id } of client.robots.iter())
    if (!found.has(name.normalize('NFC'))) found.set(name.normalize('NFC'), id);
  return found;
}

/** @throws UsageError with the line that cannot be a name */
async function readNames(file: string, mostChars: number): Promise<string[]> {
  const nameSchema = oneLine(mostChars);
  const text = await readBounded(file, FILE_MAX_BYTES).catch((thrown) => {
    throw new UsageError(unreadable(shownLine(file), thrown));
  });
  if (Buffer.byteLength(text) > FILE_MAX_BYTES)
    throw new UsageError(`${shownLine(file)} is larger than ${FILE_MAX_BYTES} bytes, which a list of ${NAMES_MAX} names is not.`);
  const lines = text
    .replace(/^\ufeff/, '')
    .split(/\r?\n/)
    .map((line, at) => ({ name: line.trim().normalize('NFC'), line: at + 1 }));
  const named = lines.filter(({ name }) => name !== '');
  for (const { name, line } of named) {
    if (!nameSchema.safeParse(name).success)
      throw new UsageError(`Line ${line}: "${shownName(name)}" is not a name: up to ${mostChars} characters of one line are.`);
    const earlier = named.find((other) => other.name === name && other.line < line);
    if (earlier)
      throw new UsageError(
        `"${shownName(name)}" stands in lines ${earlier.line} and ${line}. Give each pupil a name of their own.`,
      );
  }
  if (named.length === 0) throw new UsageError(`${shownLine(file)} has no names. Write one in each line.`);
  if (named.length > NAMES_MAX)
    throw new UsageError(`${shownLine(file)} has ${named.length} names; an account has at most ${NAMES_MAX} open sessions.`);
  return named.map(({ name }) => name);
}

/** The file is replaced as a whole, and only its owner can read it. */
function writePage(out: string, page: string): void {
  const half = `${out}.${process.pid}.half`;
  try {
    // Never through a file or a link that another user left there.
    writeFileSync(half, page, { mode: 0o600, flag: 'wx' });
    renameSync(half, out);
  } catch (thrown) {
    rmSync(half, { force: true });
    throw new UsageError(`${shownLine(out)} cannot be written: ${thrownCode(thrown) ?? thrownText(thrown)}`);
  }
}

interface ClassArgs {
  namesFile: string;
  out: string;
  /** Whether the pupils' programs run on other machines of the network, so that each pupil gets a key. */
  lan: boolean;
}

/** @returns null if help is requested @throws UsageError */
function readArgs(args: string[]): ClassArgs | null {
  const options = { lan: { type: 'boolean' }, out: { type: 'string' }, help: { type: 'boolean', short: 'h' } } as const;
  const { values, positionals } = readOptions(args, options, { command: COMMAND, positionalsMax: 1 });
  if (values.help) return null;
  const [namesFile] = positionals;
  if (namesFile === undefined) throw wrongUsage('Name one file with a name in each line.', COMMAND);
  const out = values.out ?? DEFAULT_OUT;
  if (resolve(out) === resolve(namesFile))
    throw new UsageError('--out names the list of names itself. Give the page another name.');
  return { namesFile, out, lan: values.lan ?? false };
}
