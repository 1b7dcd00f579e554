/**
 * Locates compiled programs, and checks whether they match the sources. Plain JavaScript, because it runs before anything is
 * compiled.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';

export const ROOT_DIR = resolve(import.meta.dirname, '..');
const COMPILED_NAME = 'compiled';
export const COMPILED_DIR = join(ROOT_DIR, COMPILED_NAME);
/** Written last, with the time before the first source was read. */
export const STAMP = 'compiled-at.txt';

/** The rooms that are not part of any program, so their age does not matter. */
const OF_THE_PAGE = new Set(['viewer', 'stage', 'room']);

/** Whether a source of the programs is newer than the programs. False if there are no sources. */
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
  // An unreadable stamp was not written completely.
  return Number.isNaN(compiledAtMs) || made.some((path) => newestMs(path) >= compiledAtMs);
}

/** A folder's own time counts too: a removed file leaves no other trace. */
function newestMs(path) {
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  return readdirSync(path).reduce((newest, name) => Math.max(newest, newestMs(join(path, name))), stat.mtimeMs);
}
