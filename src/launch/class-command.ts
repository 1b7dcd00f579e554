/** `npm run simplesim -- class FILE`: a robot for each name of a list, and one page to print with their links. */
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { DEFAULT_SETTINGS } from '../control-service/deps.ts';
import { thrownCode, thrownText } from '../control-service/thrown.ts';
import { readBounded, unreadable } from '../headless/read-bounded.ts';
import { ROBOT_TEXT_MAX_LENGTH } from '../protocol/client-models/http.ts';
import { ROOM_KEY_DEFAULT_TTL_S } from '../protocol/limits.ts';
import { oneLine } from '../protocol/one-line.ts';
import { DEFAULT_ROBOT_ID } from '../protocol/robot.ts';
import { ROBOT_MODEL_NAMES } from '../protocol/robot-model-names.ts';
import { shownLine, shownName } from '../protocol/shown-text.ts';
import { type ClassRow, classPage } from './class-page.ts';
import { EXIT } from './exit-codes.ts';
import { type LocalAccount, openLocalAccount, robotLink } from './local-links.ts';
import { print, printTrouble } from './output.ts';
import { UsageError } from './service-args.ts';
import { readDataDir } from './service-settings.ts';

const USAGE = `npm run simplesim -- class names.txt [--out class.html]

  Makes a robot for each line of the file, where the account has none of that name yet, opens its session, and writes a page to print with
  names, links and QR codes. The platform of "npm start" has to run; with "npm start -- --lan" the links open on every machine in the
  network. The links end after four hours: run the command again for the next lesson.

Options
  --out FILE    the page                                    default: class.html
  --help        this`;

const DEFAULT_OUT = 'class.html';
/** As many sessions as an account of the local platform may have open. */
const NAMES_MAX = DEFAULT_SETTINGS.accountLimits.openSessions;
const FILE_MAX_BYTES = 256 * 1024;
const NAME = oneLine(ROBOT_TEXT_MAX_LENGTH);
const MODEL = ROBOT_MODEL_NAMES[DEFAULT_ROBOT_ID];

try {
  const args = readArgs(process.argv.slice(2));
  if (args === null) print(USAGE);
  else await makeClass(args);
} catch (error) {
  printTrouble(error);
  process.exit(error instanceof UsageError ? EXIT.wrongUsage : EXIT.couldNotRun);
}

async function makeClass({ namesFile, out }: { namesFile: string; out: string }): Promise<void> {
  const names = await readNames(namesFile);
  const account = openLocalAccount(readDataDir(process.env));
  const lan = account.local.lan_url !== undefined;
  const endsAt = new Date(Date.now() + ROOM_KEY_DEFAULT_TTL_S * 1_000);
  const robots = await robotsByName(account);
  const rows: ClassRow[] = [];
  for (const name of names) {
    const robotId = robots.get(name) ?? (await account.client.robots.create({ name, model: MODEL })).robot.id;
    rows.push({ name, robotId, link: await robotLink(account, robotId, { lan }) });
  }
  writePage(out, classPage(rows, endsAt));
  const isNew = rows.filter(({ name }) => !robots.has(name)).length;
  print(
    `${shownLine(out)}: ${rows.length} robots, ${isNew} of them new. The page holds secrets: print it, and delete the file after the lesson.`,
  );
  if (!lan) print('The links open on this machine alone. For the machines of the class: npm start -- --lan, then this again.');
}

/** The ids of the account's robots; of several with one name the oldest. */
async function robotsByName({ client }: LocalAccount): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for await (const { name, id } of client.robots.iter())
    if (!found.has(name.normalize('NFC'))) found.set(name.normalize('NFC'), id);
  return found;
}

/** @throws UsageError with the line that cannot be a name */
async function readNames(file: string): Promise<string[]> {
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
    if (!NAME.safeParse(name).success)
      throw new UsageError(
        `Line ${line}: "${shownName(name)}" is no name: up to ${ROBOT_TEXT_MAX_LENGTH} characters of one line are.`,
      );
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

/** The file is never half written, and nobody else on the machine reads it. */
function writePage(out: string, page: string): void {
  const half = `${out}.${process.pid}.half`;
  try {
    // Not through a file or a link that somebody left there.
    writeFileSync(half, page, { mode: 0o600, flag: 'wx' });
    renameSync(half, out);
  } catch (thrown) {
    rmSync(half, { force: true });
    throw new UsageError(`${shownLine(out)} cannot be written: ${thrownCode(thrown) ?? thrownText(thrown)}`);
  }
}

/** @returns null when help is asked for @throws UsageError */
function readArgs(args: string[]): { namesFile: string; out: string } | null {
  const options = { out: { type: 'string' }, help: { type: 'boolean', short: 'h' } } as const;
  let read: ReturnType<typeof parseArgs<{ options: typeof options; allowPositionals: true }>>;
  try {
    read = parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
  }
  const { values, positionals } = read;
  if (values.help) return null;
  const [namesFile, ...more] = positionals;
  if (namesFile === undefined || more.length > 0) throw new UsageError(`Name one file with a name in each line.\n\n${USAGE}`);
  const out = values.out ?? DEFAULT_OUT;
  if (resolve(out) === resolve(namesFile))
    throw new UsageError('--out names the list of names itself. Give the page another name.');
  return { namesFile, out };
}
