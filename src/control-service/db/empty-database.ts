import { fork } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { parseTar } from 'nanotar';
import { programBeside } from '../program-beside.ts';

/** The file that the process which makes a database writes to. */
export const ARCHIVE_FD = 3;

/** The data that the failed process reports, so that its parent can say what to do. */
export interface MakerTrouble {
  code: string | null;
  message: string;
}

/**
 * Runs the process that makes an empty database. @param archiveFd file that it writes the archive to
 * @throws The error of the process, with its code
 */
export async function runMaker(archiveFd: number): Promise<void> {
  const { file, execArgv } = programBeside(import.meta.url, 'empty-database-process');
  const child = fork(file, [], { execArgv, stdio: ['ignore', 'ignore', 'pipe', archiveFd, 'ipc'] });
  let told: MakerTrouble | null = null;
  child.once('message', (trouble: MakerTrouble) => {
    told = trouble;
  });
  // Its last messages have arrived when the channel is closed, which may be after its end.
  const ended = Promise.all([once(child, 'exit'), once(child, 'disconnect')]);
  const [troubles, [[code, signal]]] = await Promise.all([text(child.stderr as Readable), ended]);
  if (code === 0) return;
  const { code: cause, message } = (told as MakerTrouble | null) ?? {
    code: null,
    message: `The process that makes it ended (${signal ?? `code ${code}`}). ${troubles.trim()}`,
  };
  throw Object.assign(new Error(message), cause === null ? {} : { code: cause });
}

/**
 * An empty database as a tar archive, made in a process of its own: it takes five seconds of a processor, and memory that is free again.
 * @param folder that is there; the archive goes through a file in it, since the pieces of a pipe would leave this process full of holes
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
 * @param image the result of another one's `dumpDataDir` of PGlite; undefined: one is made
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
