import { chmodSync, existsSync, mkdirSync, readdirSync, type Stats, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fullDiskText, thrownCode, thrownText } from '../control-service/thrown.ts';

const ANOTHER = 'name another data folder (SIMPLESIM_DATA_DIR)';
/** The platform's files in its data folder, copies of the database next to it, and the initial content of a separate disk. */
const OURS =
  /^(?:db(?:[.-].*)?|local\.json(?:\.\d+)?|lan-[\d.]+\.pem(?:\.\d+)?|class\.lock(?:\..*)?|operator\.sock|worlds|lost\+found|\.gitignore)$/;
const FOREIGN_NAMED_MAX = 3;
const OPEN_TO_OTHERS = 0o077;

/**
 * Creates the data folder, or restricts an existing one to its owner, because keys, robots and the operator's socket are in it.
 * @param userId the user of the process; null on a system without user ids
 * @throws With a sentence on what to do, if the folder belongs to another user or also contains other data
 */
export function takeDataFolder(dataDir: string, userId: number | null = process.getuid?.() ?? null): void {
  try {
    const isNew = mkdirSync(dataDir, { recursive: true, mode: 0o700 }) !== undefined;
    // It may be inside a repository of the user, and contains keys.
    if (isNew) writeFileSync(join(dataDir, '.gitignore'), '*\n');
    const found = statSync(dataDir);
    refuseOthers(dataDir, found, userId);
    if ((found.mode & OPEN_TO_OTHERS) === 0 || process.platform === 'win32') return;
    refuseShared(dataDir, found);
    chmodSync(dataDir, 0o700);
  } catch (error) {
    throw error instanceof FolderTrouble ? error : explained(dataDir, error);
  }
}

/** States the facts and what to do. */
class FolderTrouble extends Error {}

/** Rejects a folder of another user: the owner of a folder can read and replace its content, whatever its mode is. */
function refuseOthers(dataDir: string, { uid }: Stats, userId: number | null): void {
  if (userId === null || uid === userId) return;
  throw new FolderTrouble(
    `The data folder ${dataDir} belongs to another user (id ${uid}), and this process is of the user with the id ${userId}. Start it as that user, give the folder to this one with all that is in it (chown -R ${userId} ${dataDir}), or ${ANOTHER}.`,
  );
}

/**
 * Rejects a shared folder. Other users may need its other content, as in `/tmp`, so their access is not removed unasked, unless a
 * platform has restricted the folder before.
 */
function refuseShared(dataDir: string, { mode }: Stats): void {
  const isSticky = (mode & 0o1000) !== 0;
  const wasOurs = existsSync(join(dataDir, 'local.json')) || existsSync(join(dataDir, 'db/PG_VERSION'));
  const foreign = readdirSync(dataDir).filter((name) => !OURS.test(name));
  if (!isSticky && (wasOurs || foreign.length === 0)) return;
  const named = foreign.slice(0, FOREIGN_NAMED_MAX).join(', ') + (foreign.length > FOREIGN_NAMED_MAX ? ', …' : '');
  const holds = foreign.length === 0 ? 'is made for all users' : `holds other things (${named})`;
  throw new FolderTrouble(
    `The data folder ${dataDir} is open to other users (mode ${(mode & 0o7777).toString(8)}) and ${holds}. Keep the data in a folder of their own: ${ANOTHER}. Or close this one to others (chmod 700 ${dataDir}).`,
  );
}

function explained(dataDir: string, error: unknown): FolderTrouble {
  const code = thrownCode(error);
  switch (code) {
    case 'EEXIST':
    case 'ENOTDIR':
      return new FolderTrouble(
        `The data folder ${dataDir} is not a folder, or a part of its path is not. Move that away, or ${ANOTHER}.`,
      );
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return new FolderTrouble(
        `The data folder ${dataDir} cannot be used by this user (${code}). Let the user read and write it, or ${ANOTHER}.`,
      );
    case 'ENOSPC':
    case 'EDQUOT':
      return new FolderTrouble(`The data folder ${dataDir} cannot be made. ${fullDiskText(error)}`);
    default:
      return new FolderTrouble(
        `The data folder ${dataDir} cannot be used: ${thrownText(error).replace(/[.\s]*$/, '.')} Correct that, or ${ANOTHER}.`,
      );
  }
}
