import { readVisitorKey, type VisitorKey } from '../../../protocol/room/room-key.ts';
import { WorldReader } from '../../../protocol/world-stream/world-reader.ts';
import { SILENT } from '../../../remote-robot/press.ts';
import { builtInScene, placeOf } from '../../../simulation/scene.ts';
import { noItems, tabItems } from '../browser-storage.ts';
import { isLocalPlatform } from '../come-back.ts';
import { hasService, NO_SERVICE } from '../has-service.ts';
import { markLocal, markRobot, markScene, readRobot, readScene } from '../page-address.ts';
import { keepKey } from '../tab-storage.ts';
import type { Engine } from '../types.ts';
import { askPlace } from './ask-place.ts';
import { BROWSER_CLOCK } from './browser-clock.ts';
import { createOperatorSigner } from './operator-signer.ts';
import { pressOverHttp } from './press-http.ts';
import { createVisitorEngine } from './visitor-engine.ts';

/**
 * Creates the engine of a real page whose robot runs elsewhere.
 * @param takenKey a visitor's key, or the link that contains it
 * @param options `keepsKey`: stores the key for a reload of this tab
 */
export function createBrowserVisitor(takenKey: string, { keepsKey = true } = {}): Engine {
  const hasPlatform = isLocalPlatform(location) || __PAGE_HAS_PLATFORM__;
  /** The link's key, in its most recent form. */
  let linkKey: VisitorKey | null = null;
  /** The key of this page's place in the room. */
  let placeKey: VisitorKey | null = null;
  const signer = createOperatorSigner({
    ...BROWSER_CLOCK,
    fetchGrant: async (publicKey) => (hasPlatform && linkKey ? ((await askPlace(linkKey, publicKey))?.grant ?? null) : null),
  });
  /** Asks for a place, and with it for the grant of an operator's page. */
  async function enter(key: VisitorKey, onRobotName: (name: string) => void): Promise<VisitorKey | null> {
    linkKey = key;
    if (!hasPlatform) return key;
    const place = await askPlace(key, key.access === 'drive' ? await signer.publicKey() : null);
    if (place === null) return null;
    signer.adopt(place.grant);
    placeKey = place.key;
    if (place.robotName !== null) onRobotName(place.robotName);
    return place.key;
  }
  return createVisitorEngine({
    signer,
    takenKey,
    readKey: (text) =>
      hasService()
        ? readVisitorKey(text, { nowMs: Date.now(), pageProtocol: location.protocol })
        : { ok: false, problem: 'not_a_key', message: NO_SERVICE },
    keepKey: (key) => void keepKey(keepsKey ? tabItems : noItems, key),
    async createRoom(events) {
      const { createBrowserVisitorRoom } = await import('../../../room/browser-visitor-room.ts');
      return createBrowserVisitorRoom({ ...events, askPlace: (key) => enter(key, events.onRobotName) });
    },
    createReader: () => new WorldReader(),
    placeOf(sceneId, robotId) {
      const scene = builtInScene(sceneId);
      return scene && placeOf(scene, robotId);
    },
    tryHere(sceneId = readScene(location.href), robotId = readRobot(location.href)) {
      location.assign(markRobot(markScene(markLocal(location.href, true), sceneId), robotId));
    },
    pressOverHttp: hasPlatform
      ? async () => {
          const key = placeKey ?? linkKey;
          return key ? pressOverHttp(key.token) : SILENT;
        }
      : null,
    ...BROWSER_CLOCK,
    network: {
      isOnline: () => navigator.onLine,
      subscribe(onChange) {
        window.addEventListener('online', onChange);
        window.addEventListener('offline', onChange);
        return () => {
          window.removeEventListener('online', onChange);
          window.removeEventListener('offline', onChange);
        };
      },
    },
  });
}
