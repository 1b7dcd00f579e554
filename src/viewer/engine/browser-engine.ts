import { createCameras, openCamerasAhead } from '../../cameras/camera-client.ts';
import { followInAddress } from './address-follower.ts';
import { browserSecret, createHolderService } from './ask-holder.ts';
import { browserItems, noItems, tabItems } from './browser-storage.ts';
import { askToComeBack, isLocalPlatform } from './come-back.ts';
import { startsAllAtOnce } from './cores.ts';
import { consoleLog, loggedEngine, withDebugLog } from './debug-log.ts';
import { createEngine } from './engine.ts';
import type { EngineDeps } from './engine-deps.ts';
import { LOCAL_ROBOT } from './engine-rules.ts';
import { hasService, NO_SERVICE } from './has-service.ts';
import { createStopRecord } from './kept/stop-record.ts';
import {
  asksForLocal,
  asksForLog,
  readContract,
  readRobot,
  readScene,
  readSceneAddress,
  readSeed,
  readTaskId,
} from './page-address.ts';
import { pageName } from './page-name.ts';
import { startSimulation } from './simulation-client.ts';
import { createWorldMarkStore, keepKey, localPlaceOf, takeKey } from './tab-storage.ts';
import type { Engine } from './types.ts';

/** The seed of the first world, unless the page's address names another. `reset` takes other seeds. */
const START_SEED = 1;
const newId = (): string => crypto.randomUUID();
const PRODUCT_VERSION = __PRODUCT_VERSION__;

/**
 * Creates the engine of a real page. When there is a key, it loads the cameras' worker and the room's code, including LiveKit.
 * @param given the result of `takeKey(window)`, which a page calls before it loads this module
 * @param options `keepsKey`: stores the key for a reload of this tab, and the world of a robot of this tab alone
 */
export function createBrowserEngine(given: string | null = takeKey(window, tabItems), { keepsKey = true } = {}): Engine {
  const takenKey = hasService() ? given : null;
  const camerasBesidePhysics = startsAllAtOnce();
  const camerasOpened = takenKey !== null || !camerasBesidePhysics;
  if (camerasOpened && camerasBesidePhysics) openCamerasAhead();
  const isLocal = isLocalPlatform(location);
  const isOfTabAlone = takenKey === null && asksForLocal(location.href);
  const seed = (isOfTabAlone ? readSeed(location.href) : null) ?? START_SEED;
  const own = keepsKey ? tabItems : noItems;
  const hasPlatform = isLocal || __PAGE_HAS_PLATFORM__;
  const deps: EngineDeps = {
    takenKey,
    keyProblem: hasService() ? null : NO_SERVICE,
    contract: readContract(location.href),
    ...(isLocal ? { askToComeBack } : {}),
    keepKey: (key) => void keepKey(own, key),
    stops: createStopRecord((robot) => (robot === LOCAL_ROBOT ? own : browserItems), own),
    worldMark: createWorldMarkStore(tabItems),
    ...(keepsKey ? { localPlace: (isNew) => localPlaceOf(tabItems, newId, isNew) } : {}),
    startSimulation,
    camerasBesidePhysics,
    createCameras: async (options) => createCameras(options),
    async createRoom(events) {
      const { createBrowserRoom } = await import('../../room/browser-room.ts');
      if (!hasPlatform) return createBrowserRoom(events);
      // Without locks, two pages of this browser may both be the robot. Each page then needs a secret of its own.
      const secret = 'locks' in navigator ? browserSecret(browserItems, newId) : newId();
      const holders = createHolderService({ browserSecret: secret, page: pageName(navigator), newVisit: newId });
      return createBrowserRoom({ ...events, holders });
    },
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
    visibility: {
      isHidden: () => document.visibilityState === 'hidden',
      subscribe(onChange) {
        document.addEventListener('visibilitychange', onChange);
        return () => document.removeEventListener('visibilitychange', onChange);
      },
    },
    onPageHide(listener) {
      window.addEventListener('pagehide', listener);
      return () => window.removeEventListener('pagehide', listener);
    },
    nowMs: Date.now,
    pageProtocol: location.protocol,
    isSecurePage: isSecureContext,
    productVersion: PRODUCT_VERSION,
    seed,
    sceneId: readScene(location.href),
    robotId: readRobot(location.href),
    newId,
  };
  const log = asksForLog(location.href) ? consoleLog() : null;
  const engine = log ? loggedEngine(createEngine(withDebugLog(deps, log)), log) : createEngine(deps);
  // When a key is pasted, the cameras' code loads in parallel with the room's.
  const stop = engine.store.subscribe(({ connection }) => {
    if (connection.kind === 'idle') return;
    stop();
    if (!camerasOpened) openCamerasAhead();
  });
  followInAddress(engine, window);
  // The engine shows why it rejects the key.
  if (given !== takenKey && given !== null) engine.connect(given);
  const taskId = isOfTabAlone ? readTaskId(location.href) : null;
  if (taskId !== null)
    void import('./tasks/open-task.ts')
      .then(({ openTask }) => openTask(engine, taskId, seed, location.href))
      .catch(() => engine.tryHere());
  else if (isOfTabAlone) engine.tryHere();
  // A task determines its scene.
  const sceneAddress = taskId === null ? readSceneAddress(location.href) : null;
  if (sceneAddress !== null)
    void import('./open-scene-address.ts').then(
      ({ openSceneAddress }) => openSceneAddress(engine, sceneAddress, location.origin),
      () => undefined,
    );
  return engine;
}
