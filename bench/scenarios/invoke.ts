/** `invoke` of an instant skill against a bare LiveKit RPC echo: the same SFU, browser and caller, in turn. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser } from '@playwright/test';
import type { BenchPlatform } from '../platform.ts';
import { type Comparison, figuresOf } from '../statistics.ts';

const ROUNDS = 400;
const WARM_UP = 40;
const UMD = createRequire(import.meta.url).resolve('livekit-client');

/** Runs in a page of its own: answers the method `echo` with its payload. */
async function echoInPage({ url, token }: { url: string; token: string }): Promise<void> {
  const { LivekitClient } = globalThis as unknown as { LivekitClient: typeof import('livekit-client') };
  const room = new LivekitClient.Room();
  room.registerRpcMethod('echo', async (invocation) => invocation.payload);
  await room.connect(url, token, { autoSubscribe: false });
}

export async function benchInvoke(platform: BenchPlatform, browser: Browser): Promise<Comparison> {
  const robot = await platform.newRobot();
  const robotPage = await browser.newPage();
  await robotPage.goto(await robot.keyUrl());
  const caller = await robot.join('bench-caller');
  await caller.ready();

  const echoPage = await browser.newPage();
  // LiveKit answers calls only in a secure context, which an empty page is not.
  await echoPage.goto(new URL('/robots.txt', await robot.keyUrl()).href);
  await echoPage.addScriptTag({ content: readFileSync(UMD, 'utf8') });
  await echoPage.evaluate(echoInPage, await robot.token('bench-echo'));
  const local = caller.room.localParticipant;
  if (!local) throw new Error('the caller is not in the room');

  const payload = JSON.stringify({ name: 'set_sim_speed', input: { speed: 1 } });
  const echo = () => local.performRpc({ destinationIdentity: 'bench-echo', method: 'echo', payload, responseTimeout: 5_000 });
  const invoke = () => caller.callText('runtime.tools_call', payload, 5_000);
  const samples = { ours: [] as number[], bare: [] as number[] };
  for (let round = 0; round < ROUNDS + WARM_UP; round += 1) {
    const bareMs = await timed(echo);
    const oursMs = await timed(invoke);
    if (round < WARM_UP) continue;
    samples.bare.push(bareMs);
    samples.ours.push(oursMs);
  }
  await echoPage.close();
  await robotPage.close();
  await caller.leave();
  return {
    name: 'invoke of an instant skill / bare RPC echo',
    unit: 'ms',
    ours: figuresOf(samples.ours),
    bare: figuresOf(samples.bare),
    target: 1.3,
  };
}

async function timed(call: () => Promise<unknown>): Promise<number> {
  const startedAtMs = performance.now();
  await call();
  return performance.now() - startedAtMs;
}
