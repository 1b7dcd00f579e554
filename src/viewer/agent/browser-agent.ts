import type { VisitorKey } from '../../protocol/room/room-key.ts';
import { AGENT_ROBOT_ID, AGENT_STREAM } from '../../protocol/service/agent-watch.ts';
import { WorldReader } from '../../protocol/world-stream/world-reader.ts';
import { placeOf, Scenes } from '../../simulation/scene.ts';
import type { Engine } from '../engine/types.ts';
import { BROWSER_CLOCK } from '../engine/visitor/browser-clock.ts';
import { createVisitorEngine } from '../engine/visitor/visitor-engine.ts';
import { createAgentStream } from './agent-stream.ts';

/** The address needs no key: only browsers of this machine reach it. */
const NO_KEY: VisitorKey = {
  sfuUrl: '',
  token: '',
  room: AGENT_ROBOT_ID,
  identity: 'watcher',
  name: null,
  expiresAtMs: Number.MAX_SAFE_INTEGER,
  access: 'watch',
};

/** Creates the engine of a page that shows an agent's robot, and the agent's calls beside it. */
export function createBrowserAgent() {
  const scenes = new Scenes();
  const stream = createAgentStream({
    open: () => new EventSource(`./${AGENT_STREAM}`),
    async takeScene(file) {
      const { takeSceneFile } = await import('../../simulation/scene-file/take.ts');
      takeSceneFile(file, scenes);
    },
    after(ms, act) {
      const timer = setTimeout(act, ms);
      return () => clearTimeout(timer);
    },
  });
  const engine: Engine = createVisitorEngine({
    signer: { send: () => Promise.reject(new Error('This page only shows the robot.')) },
    takenKey: '',
    readKey: () => ({ ok: true, key: NO_KEY }),
    keepKey: () => undefined,
    createRoom: async (events) => stream.createRoom(events),
    createReader: () => new WorldReader(),
    placeOf(sceneId, robotId) {
      const scene = scenes.byId(sceneId);
      return scene && placeOf(scene, robotId);
    },
    tryHere: () => undefined,
    pressOverHttp: null,
    ...BROWSER_CLOCK,
    // The process runs on this machine, so the network does not matter.
    network: { isOnline: () => true, subscribe: () => () => undefined },
  });
  return { engine, seen: stream.seen };
}
