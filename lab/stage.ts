import { join } from 'node:path';
import { dispose } from '@livekit/rtc-node';
import { type Browser, chromium } from '@playwright/test';
import { build, type PreviewServer, preview } from 'vite';
import { BROWSER_ARGS, ensureBrowser } from '../scripts/ensure-browser.ts';
import { printError } from '../src/launch/output.ts';
import { type BenchPlatform, startBenchPlatform } from './platform.ts';
import { PROJECT_DIR } from './result.ts';

/** The resources that an experiment may use. Each is started on first use. */
export interface BenchStage {
  browser(): Promise<Browser>;
  platform(): Promise<BenchPlatform>;
  /** Address of the pages of `lab/pages`, in which peers run. Their policy does not block any script. */
  pagesUrl(): Promise<string>;
}

/** Runs an experiment on its own stage, and closes everything that it has started. */
export async function withStage<T>(run: (stage: BenchStage) => Promise<T>): Promise<T> {
  const started: { browser?: Promise<Browser>; platform?: Promise<BenchPlatform>; pages?: Promise<PreviewServer> } = {};
  try {
    return await run({
      browser() {
        started.browser ??= chromium.launch({ executablePath: ensureBrowser((line) => printError(line)), args: BROWSER_ARGS });
        return started.browser;
      },
      platform() {
        started.platform ??= startBenchPlatform();
        return started.platform;
      },
      async pagesUrl() {
        started.pages ??= startPages();
        return (await started.pages).resolvedUrls?.local[0] ?? '';
      },
    });
  } finally {
    await (await started.browser)?.close();
    await (await started.pages)?.close();
    await (await started.platform)?.stop();
    // The native part of the room would keep this program alive forever.
    await dispose();
  }
}

async function startPages(): Promise<PreviewServer> {
  const root = join(import.meta.dirname, 'pages');
  const config = {
    configFile: false as const,
    root,
    logLevel: 'error' as const,
    build: {
      outDir: join(PROJECT_DIR, '.cache/lab/pages'),
      emptyOutDir: true,
      rolldownOptions: { input: ['index.html', 'peer.html', 'frames.html'].map((page) => join(root, page)) },
    },
    worker: { format: 'es' as const },
    preview: { port: 0, host: '127.0.0.1' },
  };
  await build(config);
  return preview(config);
}
