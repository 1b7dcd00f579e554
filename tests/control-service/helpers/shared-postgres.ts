/** One PostgreSQL server for all files of a test run, started when the first file asks for it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { startPostgres, type TestPostgres } from './postgres.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A socket that answers every connection with `{url}`, or with `{trouble}` if the server does not start. */
    postgresDesk: string;
  }
}

/** Vitest's global set-up. @returns the tear-down */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  let server: Promise<TestPostgres> | null = null;
  const folder = mkdtempSync(join(tmpdir(), 'simplesim-desk-'));
  const queue = createServer(async (socket) => {
    socket.on('error', () => {});
    try {
      server ??= startPostgres();
      socket.end(JSON.stringify({ url: (await server).url }));
    } catch (error) {
      socket.end(JSON.stringify({ trouble: error instanceof Error ? error.message : String(error) }));
    }
  });
  const path = join(folder, 'desk');
  await new Promise<void>((resolve) => queue.listen(path, resolve));
  project.provide('postgresDesk', path);
  return async () => {
    await new Promise((resolve) => queue.close(resolve));
    rmSync(folder, { recursive: true, force: true });
    // A server that did not start needs no stop.
    await (await server?.catch(() => null))?.stop();
  };
}
