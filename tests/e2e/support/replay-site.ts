import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { build } from 'vite';
import type { CallLog, Replay } from '../../promises/replay-log.ts';

/** The work of a page. */
export interface PageWork {
  logs: readonly CallLog[];
  /** Texts of proofs. */
  proofs: readonly string[];
  /** Worlds of step 0. */
  worlds: readonly { sceneId: string; seed: number }[];
}

/** The results, in the same order. */
export interface PageWorkDone {
  replays: Replay[];
  /** `true`, or what is wrong with the proof. */
  verified: string[];
  worldHashes: string[];
}

/** A site whose pages do in a worker what was done in Node, as the page's own simulation runs in one. */
export interface ReplaySite {
  /** The worker is a fresh one each time. */
  workIn(page: Page, work: Partial<PageWork>): Promise<PageWorkDone>;
  /** Replays logs in a page. */
  replayIn(page: Page, logs: readonly CallLog[]): Promise<Replay[]>;
  stop(): Promise<void>;
}

/** Builds the worker and serves it at a free port. */
export async function startReplaySite(): Promise<ReplaySite> {
  const folder = await mkdtemp(join(tmpdir(), 'simplesim-replay-'));
  await build({
    configFile: false,
    logLevel: 'warn',
    root: join(import.meta.dirname, '../../..'),
    publicDir: false,
    build: {
      outDir: folder,
      emptyOutDir: false,
      target: 'es2022',
      reportCompressedSize: false,
      lib: { entry: join(import.meta.dirname, 'replay-worker.ts'), formats: ['es'], fileName: 'worker' },
    },
  });
  const server = createServer(async ({ url = '/' }, response) => {
    const isPage = url === '/';
    response.setHeader('Content-Type', isPage ? 'text/html' : 'text/javascript');
    response.end(isPage ? '<!doctype html><title>replay</title>' : await readFile(join(folder, 'worker.js')));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  async function workIn(page: Page, work: Partial<PageWork>): Promise<PageWorkDone> {
    if (page.url() !== address) await page.goto(address);
    return page.evaluate(
      (asked) =>
        new Promise<PageWorkDone>((resolve, reject) => {
          const worker = new Worker('/worker.js', { type: 'module' });
          worker.onmessage = ({ data }) => {
            worker.terminate();
            resolve(data);
          };
          worker.onerror = ({ message }) => reject(new Error(message));
          worker.postMessage(asked);
        }),
      { logs: [], proofs: [], worlds: [], ...work },
    );
  }
  return {
    workIn,
    replayIn: async (page, logs) => (await workIn(page, { logs })).replays,
    async stop() {
      await new Promise((resolve) => server.close(resolve));
      await rm(folder, { recursive: true, force: true });
    },
  };
}
