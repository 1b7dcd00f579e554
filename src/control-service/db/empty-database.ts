import { fork } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { parseTar } from 'nanotar';
import { programBeside } from '../program-beside.ts';

/** The number of the file descriptor to which the process that creates a database writes. */
export const ARCHIVE_FD = 3;

/** The data that the failed process reports, so that its parent can show what to do. */
export interface MakerTrouble {
  code: string | null;
  message: string;
}

/**
 * Runs the process that creates an empty database.
 * @param archiveFd file to which it writes the archive
 * @throws The error of the process, with its code
 */
export async function runMaker(archiveFd: number): Promise<void> {
  const { file, execArgv } = programBeside(import.meta.url, 'empty-database-process');
  const child = fork(file, [], { execArgv, stdio: ['ignore', 'ignore', 'pipe', archiveFd, 'ipc'] });
  let reported: MakerTrouble | null = null;
  child.once('message', (trouble: MakerTrouble) => {
    reported = trouble;
  });
  // Its last messages have arrived when the channel closes, which may be after it has exited.
  const ended = Promise.all([once(child, 'exit'), once(child, 'disconnect')]);
  const [troubles, [[code, signal]]] = await Promise.all([text(child.stderr as Readable), ended]);
  if (code === 0) return;
  const { code: cause, message } = (reported as MakerTrouble | null) ?? {
    code: null,
    message: `The process that makes it ended (${signal ?? `code ${code}`}). ${troubles.trim()}`,
  };
  throw Object.assign(new Error(message), cause === null ? {} : { code: cause });
}

/**
 * Returns an empty database as a tar archive, created in a separate process. That takes five seconds of processor time, and its
 * memory is free again afterwards.
 * @param folder an existing folder; the archive goes through a file in it, because the chunks of a pipe would fragment the memory
 * of this process
 */
async function makeEmptyDatabase(folder: string): Promise<Uint8Array> {
  const path = join(folder, 'archive.tar');
  const archive = openSync(path, 'wx', 0o600);
  try {
    await runMaker(archive);
    return readFileSync(path);
  } finally {
    closeSync(archive);
    rmSync(path);
  }
}

/**
 * Writes the files of an empty database into an existing empty folder, readable only by their owner.
 * @param image the result of `dumpDataDir` of another PGlite; undefined: one is created
 */
export async function writeEmptyDatabase(folder: string, image: Blob | undefined): Promise<void> {
  const archive = image ? await image.arrayBuffer() : await makeEmptyDatabase(folder);
  for (const { name, type, data } of parseTar(archive)) {
    const path = join(folder, name);
    if (type === 'directory') mkdirSync(path, { recursive: true, mode: 0o700 });
    else {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      writeFileSync(path, data ?? '', { mode: 0o600 });
    }
  }
}
