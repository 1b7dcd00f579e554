/** `npm run service -- <command>`: the control service alone, and the operator's commands for keys and robots. */
import { randomBytes } from 'node:crypto';
import { systemClock } from '../control-service/clock.ts';
import type { DatabasePlace } from '../control-service/db/database.ts';
import { databasePlace, openDatabase } from '../control-service/db/open.ts';
import { formatLogLine } from '../control-service/log.ts';
import { takeDataFolder } from './data-folder.ts';
import { askOperatorDesk } from './operator-desk.ts';
import { print, printError, printTrouble, whenUnread } from './output.ts';
import { readServiceArgs, type ServiceVerb, USAGE, UsageError } from './service-args.ts';
import { type Printed, runOperatorCommand } from './service-commands.ts';
import { type RunningService, serveControlService } from './service-serve.ts';
import { readDataDir, readSettings } from './service-settings.ts';

const args = process.argv.slice(2);
if (args.length === 0 || args.includes('--help') || args.includes('help')) print(USAGE);
else {
  try {
    const command = readServiceArgs(args);
    if (command.verb === 'serve') await serve(command);
    else await operate(command);
  } catch (error) {
    printTrouble(error);
    process.exit(error instanceof UsageError ? 2 : 1);
  }
}

async function serve({ host, port }: Extract<ServiceVerb, { verb: 'serve' }>): Promise<void> {
  let running: RunningService | null = null;
  let isLeaving = false;
  const leave = async (exitCode: number): Promise<void> => {
    if (isLeaving) return;
    isLeaving = true;
    // While it still starts there is nothing to end in order: everything open ends with the process.
    await running?.stop();
    process.exit(exitCode);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void leave(0));
  whenUnread(() => void leave(1));
  running = await serveControlService({
    host,
    port,
    env: process.env,
    onLog: (entry) => print(formatLogLine(entry, Date.now())),
  });
}

async function operate(command: Exclude<ServiceVerb, { verb: 'serve' }>): Promise<void> {
  const dataDir = readDataDir(process.env);
  const place = databasePlace(process.env, dataDir);
  if (place.kind === 'folder') takeDataFolder(dataDir);
  // Only the platform changes a folder that it has open.
  const { out, note } = (place.kind === 'folder' && (await askOperatorDesk(dataDir, args))) || (await operateOn(place, command));
  if (out !== '') print(out);
  if (note !== '') printError(note);
}

async function operateOn(place: DatabasePlace, command: Exclude<ServiceVerb, { verb: 'serve' }>): Promise<Printed> {
  const database = await openDatabase(place);
  try {
    const deps = { db: database.db, clock: systemClock, randomBytes, settings: readSettings(process.env) };
    return await runOperatorCommand(deps, command);
  } finally {
    await database.close();
  }
}
