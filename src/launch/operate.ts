import { randomBytes } from 'node:crypto';
import { systemClock } from '../control-service/clock.ts';
import type { DatabasePlace } from '../control-service/db/database.ts';
import { databasePlace, openDatabase } from '../control-service/db/open.ts';
import { takeDataFolder } from './data-folder.ts';
import { askOperatorSocket } from './operator-socket.ts';
import { UsageError } from './read-options.ts';
import { readServiceArgs, type ServiceVerb } from './service-args.ts';
import { type Printed, runOperatorCommand } from './service-commands.ts';
import { readDataDir, readSettings } from './service-settings.ts';

/**
 * Carries out an operator's command on the database of the settings, through the platform if that has its folder open, otherwise
 * directly.
 * @param args the arguments of `npm run service` @throws With a sentence on what to do
 */
export async function operate(env: NodeJS.ProcessEnv, args: string[]): Promise<Printed> {
  const command = readServiceArgs(args);
  if (command.verb === 'serve') throw new UsageError('"serve" starts a service and is not a command to one.');
  const dataDir = readDataDir(env);
  const place = databasePlace(env, dataDir);
  if (place.kind === 'folder') takeDataFolder(dataDir);
  // Only the platform may change a folder that it has open.
  return (place.kind === 'folder' && (await askOperatorSocket(dataDir, args))) || operateOn(env, place, command);
}

async function operateOn(
  env: NodeJS.ProcessEnv,
  place: DatabasePlace,
  command: Exclude<ServiceVerb, { verb: 'serve' }>,
): Promise<Printed> {
  const database = await openDatabase(place);
  try {
    return await runOperatorCommand({ db: database.db, clock: systemClock, randomBytes, settings: readSettings(env) }, command);
  } finally {
    await database.close();
  }
}
