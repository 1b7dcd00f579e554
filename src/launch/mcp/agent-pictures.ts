import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { findBrowser } from '../../headless/pictures/find-browser.ts';
import { openPictures, type Pictures } from '../../headless/pictures/pictures.ts';
import { NO_BROWSER_FOR_PICTURES } from '../../protocol/texts/headless-texts.ts';
import type { BodyPictures } from '../../worker/robot/body-cameras.ts';
import { DIST_DIR } from '../viewer-build.ts';

/** The cameras of an agent's robot: the browser that draws starts with the first picture. */
export interface AgentPictures {
  /** Null if this machine cannot draw; `missing` then explains what to do. */
  body: BodyPictures | null;
  missing: string | null;
  close(): Promise<void>;
}

const NOT_BUILT = 'The page that draws pictures is not built: npm run build. Then start this again.';

/** Returns the cameras that this machine can have. */
export function agentPictures(): AgentPictures {
  const missing = findBrowser() === null ? NO_BROWSER_FOR_PICTURES : existsSync(join(DIST_DIR, 'index.html')) ? null : NOT_BUILT;
  let opened: Pictures | null = null;
  const open = (): Pictures => {
    opened ??= openPictures();
    return opened;
  };
  return {
    missing,
    body: missing === null ? { ready: async () => undefined, draw: (place, job) => open().draw(place, job) } : null,
    async close() {
      await opened?.close();
    },
  };
}
