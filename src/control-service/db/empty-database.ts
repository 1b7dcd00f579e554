import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { parseTar } from 'nanotar';
import { programBeside } from '../program-beside.ts';

/** The channel by which the process that makes a database hands it over. */
export const ARCHIVE_FD = 3;

/** An empty database as a tar archive, made in a process of its own: it takes five seconds of a processor, and memory that is free again. */
export async function makeEmptyDatabase(): Promise<Blob> {
  const { file, execArgv } = programBeside(import.meta.url, 'empty-database-process');
  const child = fork(file, [], { execArgv, stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'ipc'] });
  const ended = once(child, 'exit');
  const [archive, troubles, [code, signal]] = await Promise.all([
    buffer(child.stdio[ARCHIVE_FD] as Readable),
    text(child.stderr as Readable),
    ended,
  ]);
  if (code !== 0) throw new Error(`The process that makes it ended (${signal ?? `code ${code}`}). ${troubles.trim()}`);
  return new Blob([archive]);
}

/**
 * Writes an archive's files into a folder that is there and empty, for their owner alone.
 * @param archive what PGlite's `dumpDataDir` made of a database
 */
export async function unpackDatabase(archive: Blob, folder: string): Promise<void> {
  for (const { name, type, data } of parseTar(await archive.arrayBuffer())) {
    const path = join(folder, name);
    if (type === 'directory') mkdirSync(path, { recursive: true, mode: 0o700 });
    else {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      writeFileSync(path, data ?? '', { mode: 0o600 });
    }
  }
}
