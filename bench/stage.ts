import { join } from 'node:path';
import { dispose } from '@livekit/rtc-node';
import { type Browser, chromium } from '@playwright/test';
import { build, type PreviewServer, preview } from 'vite';
import { BROWSER_ARGS, ensureBrowser } from '../scripts/ensure-browser.ts';
import { type BenchPlatform, startBenchPlatform } from './platform.ts';

/** The things that scenarios share. Each is started when it is first asked for. */
export interface BenchStage {
  browser(): Promise<Browser>;
  platform(): Promise<BenchPlatform>;
  /** Address of the pages of `bench/pages`, in which peers run. They have no policy that would keep a script out. */
  pagesUrl(): Promise<string>;
  close(): Promise<void>;
}

export function createStage(): BenchStage {
  let browser: Promise<Browser> | null = null;
  let platform: Promise<BenchPlatform> | null = null;
  let pages: Promise<PreviewServer> | null = null;

  return {
    browser() {
      browser ??= chromium.launch({ executablePath: ensureBrowser((line) => console.error(line)), args: BROWSER_ARGS });
      return browser;
    },
    platform() {
      platform ??= startBenchPlatform();
      return platform;
    },
    async pagesUrl() {
      pages ??= startPages();
      return (await pages).resolvedUrls?.local[0] ?? '';
    },
    async close() {
      await (await browser)?.close();
      await (await pages)?.close();
      await (await platform)?.stop();
      // The native part of the room would keep this program alive for ever.
      await dispose();
    },
  };
}

async function startPages(): Promise<PreviewServer> {
  const root = join(import.meta.dirname, 'pages');
  const config = {
    configFile: false as const,
    root,
    logLevel: 'error' as const,
    build: {
      outDir: join(import.meta.dirname, '../.cache/bench-pages'),
      emptyOutDir: true,
      rolldownOptions: { input: ['index.html', 'peer.html', 'frames.html'].map((page) => join(root, page)) },
    },
    worker: { format: 'es' as const },
    preview: { port: 0, host: '127.0.0.1' },
  };
  await build(config);
  return preview(config);
}
