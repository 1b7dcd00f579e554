/** A 1280 × 720 picture over the room: its duration, the delay of the page for its viewer, and how fast its bytes arrive. */

import RAPIER from '@dimforge/rapier3d-compat';
import type { ByteStreamReader, Room } from '@livekit/rtc-node';
import type { Page } from '@playwright/test';
import { CAPTURE_DEFAULT_QUALITY } from '../../src/protocol/wire/limits.ts';
import { placeOf } from '../../src/simulation/scene.ts';
import { createWorld, disposeWorld, renderState } from '../../src/simulation/world.ts';
import type { BareOrder } from '../pages/messages.ts';
import type { Scenario } from '../scenario.ts';

const WIDTH_PX = 1280;
const HEIGHT_PX = 720;
const PICTURE_TOPIC = 'platform.camera_capture';
const PEER_TOPIC = 'bench.peer';
const CALLER = 'bench-caller';
const MEGABYTE = 1_000_000;

export const capture: Scenario<'capture'> = {
  name: 'capture',
  rounds: { smoke: 1, full: 25 },
  warmUpRounds: { smoke: 0, full: 3 },
  async open(stage) {
    const [browser, platform, pagesUrl] = await Promise.all([stage.browser(), stage.platform(), stage.pagesUrl()]);
    const barePage = await browser.newPage();
    await barePage.goto(pagesUrl);
    const robot = await platform.newRobot();
    const peerPage = await browser.newPage();
    await peerPage.goto(`${pagesUrl}peer.html`);
    await peerPage.evaluate((place) => window.joinAsPeer(place), await robot.token('bench-peer'));
    const robotPage = await browser.newPage();
    await robotPage.goto(await robot.keyUrl());
    const caller = await robot.join(CALLER, []);
    const pictures = streamsOf(caller.room, PICTURE_TOPIC);
    const raw = streamsOf(caller.room, PEER_TOPIC);
    await caller.ready();

    await RAPIER.init();
    const world = createWorld(RAPIER, { seed: 1 });
    const order: BareOrder = {
      layout: placeOf(world.scene, world.robot.model.id),
      renderState: renderState(world),
      widthPx: WIDTH_PX,
      heightPx: HEIGHT_PX,
      quality: CAPTURE_DEFAULT_QUALITY,
    };
    disposeWorld(world);
    return {
      async round(index) {
        const bare = await barePage.evaluate((asked) => window.renderBare(asked), order);
        await startGapWatch(robotPage);
        const startedAtMs = performance.now();
        const coming = pictures.next();
        const reply = await caller.call('runtime.cameras_capture', {
          selector: { kind: 'id', id: 'pov' },
          options: { width: WIDTH_PX, height: HEIGHT_PX },
          stream: { id: `bench-${index}`, topic: PICTURE_TOPIC },
        });
        if (reply.status !== 'done') throw new Error(JSON.stringify(reply.error));
        const picture = await coming;
        const oursMs = performance.now() - startedAtMs;
        const stallMs = await longestGapMs(robotPage);
        await startGapWatch(robotPage);
        await new Promise((resolve) => setTimeout(resolve, oursMs));
        const quietMs = await longestGapMs(robotPage);
        const rawComing = raw.next();
        const rawStartedAtMs = performance.now();
        await peerPage.evaluate(([identity, topic, bytes]) => window.sendBytes(identity, topic, bytes), [
          CALLER,
          PEER_TOPIC,
          picture.bytes,
        ] as const);
        const { perMegabyteMs } = await rawComing;
        const rawMs = performance.now() - rawStartedAtMs;
        return {
          picture: { bare: bare.pixelsMs, ours: oursMs },
          whole: { bare: bare.jpegMs + rawMs, ours: oursMs },
          stall: { bare: quietMs, ours: stallMs },
          transfer: { bare: perMegabyteMs, ours: picture.perMegabyteMs },
        };
      },
      async close() {
        await caller.leave();
        for (const page of [robotPage, peerPage, barePage]) await page.close();
      },
    };
  },
};

interface Received {
  bytes: number;
  /** From the first chunk to the last; the preparation by the sender is not included. */
  perMegabyteMs: number;
}

/** The byte streams of a topic, as they end. */
function streamsOf(room: Room, topic: string): { next(): Promise<Received> } {
  let onNext = (_received: Received): void => {};
  const receive = async (reader: ByteStreamReader): Promise<void> => {
    let bytes = 0;
    let firstBytes = 0;
    let firstAtMs = 0;
    for await (const chunk of reader) {
      if (bytes === 0) {
        firstAtMs = performance.now();
        firstBytes = chunk.byteLength;
      }
      bytes += chunk.byteLength;
    }
    onNext({ bytes, perMegabyteMs: ((performance.now() - firstAtMs) * MEGABYTE) / (bytes - firstBytes) });
  };
  room.registerByteStreamHandler(topic, (reader) => void receive(reader));
  return {
    next: () =>
      new Promise((resolve) => {
        onNext = resolve;
      }),
  };
}

/** Starts to measure in the page how long its own thread delays a message to itself. */
const startGapWatch = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const watch = { longestMs: 0, lastMs: performance.now() };
    Object.assign(globalThis, { __benchGaps: watch });
    const timer = setInterval(() => {
      const nowMs = performance.now();
      watch.longestMs = Math.max(watch.longestMs, nowMs - watch.lastMs);
      watch.lastMs = nowMs;
      if ((globalThis as unknown as { __benchGaps: unknown }).__benchGaps !== watch) clearInterval(timer);
    }, 1);
  });

const longestGapMs = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const { longestMs, lastMs } = (globalThis as unknown as { __benchGaps: { longestMs: number; lastMs: number } }).__benchGaps;
    return Math.max(longestMs, performance.now() - lastMs);
  });
