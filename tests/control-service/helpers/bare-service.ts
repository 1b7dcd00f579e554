import { randomBytes } from 'node:crypto';
import { createApp } from '../../../src/control-service/app.ts';
import { DEFAULT_SETTINGS } from '../../../src/control-service/deps.ts';

/** A service that stands on nothing: enough for all that needs no key. */
export const bareService = (): ReturnType<typeof createApp> =>
  createApp({
    clock: { nowMs: () => 0, monotonicMs: () => 0 },
    randomBytes,
    log: () => {},
    settings: DEFAULT_SETTINGS,
    get db(): never {
      throw new Error('Nothing is kept here.');
    },
    get sfu(): never {
      throw new Error('No room is opened here.');
    },
  });
