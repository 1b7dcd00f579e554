/**
 * `npm run bench [name …]`: our speed against the bare limit, measured in turn within one run. Ratios, for the figures of a machine drift.
 * Names: step, invoke, capture. Only when asked for: `open` times the opening of the page, `work [minutes]` how it fares while an agent
 * works, for 2 minutes unless told otherwise.
 */

import { dispose } from '@livekit/rtc-node';
import { chromium } from '@playwright/test';
import { BROWSER_ARGS, ensureBrowser } from '../scripts/ensure-browser.ts';
import { startBenchPlatform } from './platform.ts';
import { benchCapture } from './scenarios/capture.ts';
import { benchInvoke } from './scenarios/invoke.ts';
import { benchOpening, benchWork } from './scenarios/page.ts';
import { benchRuntimeStep } from './scenarios/runtime-step.ts';
import { type Comparison, reportLine } from './statistics.ts';

const wanted = new Set(process.argv.slice(2));
const minutes = Number(process.argv.slice(2).find((word) => /^\d+$/.test(word)) ?? 2);
const runs = (name: string) => wanted.size === 0 || wanted.has(name);
const print = (comparison: Comparison) => console.log(reportLine(comparison));

if (runs('step')) for (const comparison of await benchRuntimeStep()) print(comparison);
if (runs('invoke') || runs('capture') || ['open', 'work'].some((name) => wanted.has(name))) {
  const browser = await chromium.launch({ executablePath: ensureBrowser((line) => console.log(line)), args: BROWSER_ARGS });
  const platform = await startBenchPlatform();
  if (runs('invoke')) print(await benchInvoke(platform, browser));
  if (runs('capture')) print(await benchCapture(platform, browser));
  if (wanted.has('open')) await benchOpening(platform, browser);
  if (wanted.has('work')) await benchWork(platform, browser, minutes);
  await browser.close();
  await platform.stop();
  // The native part of the room would keep this program alive for ever.
  await dispose();
}
