/** Where compiled programs are, and whether they are those of the sources. Plain JavaScript: it is what runs before anything is compiled. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';

export const ROOT_DIR = resolve(import.meta.dirname, '..');
const COMPILED_NAME = 'compiled';
export const COMPILED_DIR = join(ROOT_DIR, COMPILED_NAME);
/** Written last, with the time before the first source was read. */
export const STAMP = 'compiled-at.txt';

/** The rooms that do not end in a program, however new they are. */
const OF_THE_PAGE = new Set(['viewer', 'stage', 'room']);

/** Whether something of what the programs are made of is newer than they are. Where there are no sources nothing is. */
export function isStale(rootDir = ROOT_DIR) {
  const src = join(rootDir, 'src');
  if (!existsSync(src)) return false;
  const stamp = join(rootDir, COMPILED_NAME, STAMP);
  if (!existsSync(stamp)) return true;
  const compiledAtMs = Date.parse(readFileSync(stamp, 'utf8'));
  const rooms = readdirSync(src).filter((room) => !OF_THE_PAGE.has(room));
  const made = [
    ...rooms.map((room) => join(src, room)),
    join(rootDir, 'scenes'),
    join(rootDir, 'package-lock.json'),
    join(rootDir, 'scripts/compile.mjs'),
    join(rootDir, 'scripts/vite/commands.ts'),
  ];
  // A stamp that cannot be read was not written whole.
  return Number.isNaN(compiledAtMs) || made.some((path) => newestMs(path) >= compiledAtMs);
}

/** A folder's own time counts too: a file that is gone leaves no other trace. */
function newestMs(path) {
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  return readdirSync(path).reduce((newest, name) => Math.max(newest, newestMs(join(path, name))), stat.mtimeMs);
}
