import { randomBytes } from 'node:crypto';
import { createApp } from '../../../src/control-service/app.ts';
import { DEFAULT_SETTINGS, type ServiceParts } from '../../../src/control-service/deps.ts';
import { createService } from '../../../src/control-service/service.ts';

/** A service without a database or an SFU: sufficient for everything that needs no key. */
export const bareService = (): ReturnType<typeof createApp> =>
  createApp(
    createService({
      clock: { nowMs: () => 0, monotonicMs: () => 0 },
      randomBytes,
      log: () => {},
      settings: DEFAULT_SETTINGS,
      db: nothing<ServiceParts['db']>('Nothing is kept here.'),
      sfu: nothing<ServiceParts['sfu']>('No room is opened here.'),
    }),
  );

const nothing = <T extends object>(why: string): T =>
  new Proxy({} as T, {
    get() {
      throw new Error(why);
    },
  });
