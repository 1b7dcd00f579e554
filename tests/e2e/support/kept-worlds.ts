/** Reads the stored worlds of a browser from outside, and checks whether a resumed world is the stored one. */

import RAPIER from '@dimforge/rapier3d-compat';
import type { Page } from '@playwright/test';
import { createRuntime, type KeptRuntime } from '../../../src/runtime/runtime.ts';
import type { WorldRecord } from '../../../src/viewer/engine/kept/world-store.ts';

/** Every record that this page's origin keeps. The page may be any of it. */
export const readWorlds = (page: Page): Promise<WorldRecord[]> =>
  page.evaluate(
    () =>
      new Promise<WorldRecord[]>((resolve, reject) => {
        const opening = indexedDB.open('simplesim.worlds');
        opening.onerror = () => reject(opening.error);
        // Asked before any robot has kept a thing: no database is to be left that the page would not know.
        opening.onupgradeneeded = () => opening.transaction?.abort();
        opening.onsuccess = () => {
          const asking = opening.result.transaction('worlds').objectStore('worlds').getAll();
          asking.onerror = () => reject(asking.error);
          asking.onsuccess = () => {
            opening.result.close();
            resolve(asking.result);
          };
        };
      }),
  );

/** The worlds that a page keeps, as they are seen. */
export interface WorldWatch {
  /** Every world that was there, in the order in which they were written. */
  readonly seen: readonly WorldRecord[];
  /** The last world of a page that is gone since it was watched, and the first that the next page has kept; as soon as there are both. */
  change(): Promise<{ before: WorldRecord; next: WorldRecord }>;
  /** Ends it. @returns what could not be read, as a sentence, or null */
  end(): Promise<string | null>;
}

/** Worlds are kept twice a second, and each look reads all of them. */
const LOOK_EVERY_MS = 50;
const REMEMBERED = 300;
const moment = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));

/**
 * Watches from another page of the same origin, which is there when the robot's own is gone. One robot's worlds alone.
 * @param withinMs how long `change` waits
 */
export function watchWorlds(witness: Page, withinMs: number): WorldWatch {
  const seen: WorldRecord[] = [];
  let isOver = false;
  let problem: string | null = null;

  async function watch(): Promise<void> {
    while (!isOver) {
      const [record] = await readWorlds(witness);
      const last = seen.at(-1);
      // A world that was only claimed by the next page is still the one before.
      if (record?.kept && record.savedAtMs !== last?.savedAtMs) seen.push(record);
      seen.splice(0, Math.max(0, seen.length - REMEMBERED));
      await moment();
    }
  }
  const watching = watch().catch((thrown) => {
    problem = String(thrown);
  });

  return {
    seen,
    async change() {
      for (const untilMs = Date.now() + withinMs; Date.now() < untilMs && problem === null; await moment()) {
        const at = seen.findIndex(({ owner }, index) => index > 0 && owner !== seen[index - 1]?.owner);
        const [before, next] = [seen[at - 1], seen[at]];
        if (before && next) return { before, next };
      }
      throw new Error(problem ?? `no world continued within ${withinMs / 1_000} s; ${seen.length} were seen`);
    },
    async end() {
      isOver = true;
      await watching;
      return problem;
    },
  };
}

/**
 * Checks whether one world becomes the other without calls, bit by bit, in Node, with an engine that has never seen the page.
 * @returns null when it does, else a sentence
 */
export async function becomes(before: KeptRuntime, after: KeptRuntime): Promise<string | null> {
  await RAPIER.init();
  const runtime = createRuntime({
    rapier: RAPIER,
    seed: 1,
    productVersion: before.productVersion,
    profile: before.profile,
    newActionId: () => 'none',
    startCapture: () => undefined,
    onAction: () => undefined,
  });
  try {
    let nowMs = 1_760_000_000_000;
    const restored = runtime.restore(before, nowMs);
    if (!restored.ok) return `the kept world is refused: ${restored.reason}`;
    if (restored.hash !== before.world.hash) return `its hash is ${restored.hash} instead of ${before.world.hash}`;
    while (runtime.renderState().step < after.world.step) {
      nowMs += 1000 / 120;
      runtime.step(nowMs);
    }
    const { step, hash } = runtime.keep()?.world ?? {};
    if (step !== after.world.step) return `the world that continued is at step ${after.world.step}, before step ${step}`;
    return hash === after.world.hash
      ? null
      : `at step ${step} the hash is ${after.world.hash}; the kept world of step ${before.world.step} has ${hash} there`;
  } finally {
    runtime.dispose();
  }
}
