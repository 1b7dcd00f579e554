/** Pages of the gallery: the shipped interface with an engine that stands still, for tests that only judge what a state shows. */
import type { BrowserContext, Page } from '@playwright/test';
import type { MethodName } from '../../../src/protocol/wire/methods.ts';
import type { ViewerState } from '../../../src/viewer/engine/types.ts';
import type { PictureKind } from '../../gallery/pictures.ts';
import { type GallerySite, startGallery } from '../../gallery/site.ts';
import { STATES, type StateName } from '../../gallery/states.ts';
import type { HeardCall } from '../../gallery/still.ts';
import { test as base, expect } from './fixtures.ts';

/** A page whose engine stands still. */
export interface StillPage {
  page: Page;
  /** Changes the state of the engine. */
  set(change: Partial<ViewerState>): Promise<void>;
  /** From now on, calls of a method get this reply. */
  answer(method: MethodName, reply: unknown): Promise<void>;
  /** Returns the calls that the interface has made of the engine, oldest first. @param name those alone */
  calls(name?: string): Promise<HeardCall[]>;
}

interface StillOptions {
  context?: BrowserContext;
  /** @default 'empty' */
  picture?: PictureKind;
  /** The rest of the address: `scene=moon`. */
  query?: string;
}

interface StillFixtures {
  /** Opens a state of the gallery; a console error fails the test. */
  still(state: StateName, options?: StillOptions): Promise<StillPage>;
}

export const test = base.extend<StillFixtures, { gallery: GallerySite }>({
  gallery: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright asks for a destructured first argument.
    async ({}, use) => {
      const site = await startGallery();
      await use(site);
      await site.stop();
    },
    { scope: 'worker', timeout: 300_000 },
  ],
  still: async ({ gallery, open }, use) => {
    await use(async (state, { context, picture = 'empty', query } = {}) => {
      const { embed } = STATES[state];
      const parts = [
        `state=${state}`,
        `picture=${picture}`,
        ...(embed === undefined ? [] : ['embed=1', embed]),
        ...(query === undefined ? [] : [query]),
      ];
      const page = await open(`${gallery.url}?${parts.join('&')}`, context);
      await page.waitForFunction(() => 'still' in window);
      return {
        page,
        set: (change) => page.evaluate((given) => still.set(given), change),
        answer: (method, reply) => page.evaluate(([to, said]) => still.answer(to, said), [method, reply] as const),
        calls: (name) => page.evaluate((asked) => still.calls.filter((call) => asked === undefined || call.name === asked), name),
      };
    });
  },
});

export { expect };
