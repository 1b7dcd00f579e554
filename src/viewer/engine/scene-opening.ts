import { contractOf } from '../../protocol/wire/contract.ts';
import type { MethodName } from '../../protocol/wire/methods.ts';
import { isSceneId, SCENES, type SceneId } from '../../protocol/wire/scene-ids.ts';
import { refusedScene, type SceneOutcome } from '../../protocol/wire/scene-outcome.ts';
import { sessionSceneOf, UNKNOWN_SESSION_SCENE } from '../../protocol/wire/session-scene.ts';
import { setPart } from './loading.ts';
import type { TabWorld } from './tab-world.ts';
import type { ViewerState, ViewerStore } from './types.ts';

/** Opens scenes in the world of this tab, from files or at the request of a session. */
export interface SceneOpening {
  /** Reads a scene file and loads its scene. If the file is rejected, the current world stays. */
  open(text: string): Promise<SceneOutcome>;
  /**
   * Reads the scene that the session asks for from the room's metadata. A new world opens this scene before it serves the room; a
   * continued world keeps its scene.
   * @param place of the room and the robot in it
   */
  hearRoom(place: string, metadata: string): void;
  /** Notes that the running world continues in this place. */
  goOnIn(place: string): void;
}

interface Deps {
  store: ViewerStore;
  world: Pick<TabWorld, 'link' | 'profile' | 'startIn'>;
  newId(): string;
}

const ONE_PLACE =
  'cannot be opened: this robot follows the physical robot’s contract, which has no other scene. Open it without profile=worker.';

export function createSceneOpening({ store, world, newId }: Deps): SceneOpening {
  /** The places whose session is known, or whose world continues. */
  const decided = new Set<string>();

  /** Loads a scene as a program would, so that the same rules apply to programs and the page. */
  async function choose(sceneId: string, title: string): Promise<SceneOutcome> {
    const method: MethodName = 'runtime.tools_call';
    const payload = JSON.stringify({ name: 'select_scene', input: { scene_id: sceneId } });
    const text = await world.link().simulation.call({ requestId: newId(), method, payload, callerIdentity: null });
    const { status, error } = JSON.parse(text) as { status?: unknown; error?: { message?: unknown } };
    if (status === 'done') return { ok: true, sceneId, title };
    return refusedScene(`could not be loaded. ${typeof error?.message === 'string' ? error.message : ''}`.trim());
  }

  function refuse(sceneId: string, reason: string): void {
    store.setState({ fileRefusal: { kind: 'scene', name: sceneId, problems: [{ path: '', reason }] } });
  }

  /** The scene that the room's session asks for, until the simulation is ready for it. */
  let wanted: { place: string; sceneId: string } | null = null;

  /** Runs at the moment in which the simulation becomes ready, so that no caller in the room is served earlier. */
  function openSession({ loading }: ViewerState): void {
    if (wanted === null || !loading.some(({ id, done }) => id === 'physics' && done)) return;
    const { place, sceneId } = wanted;
    wanted = null;
    const present = world.link().layout()?.scene_id;
    if (store.getState().wentOn?.kind === 'restored' || present === sceneId) return;
    if (!isSceneId(sceneId)) refuse(sceneId, UNKNOWN_SESSION_SCENE);
    else if (contractOf(world.profile()).choosesScenes) void openHere(sceneId);
    else world.startIn(sceneId, place);
  }

  async function openHere(sceneId: SceneId): Promise<void> {
    const { title } = SCENES[sceneId];
    setPart(store, 'world', { fraction: 0, note: title });
    const outcome = await choose(sceneId, title);
    setPart(store, 'world', { done: true });
    if (!outcome.ok) store.setState({ fileRefusal: { kind: 'scene', name: sceneId, problems: outcome.problems } });
  }

  store.subscribe(openSession);

  return {
    async open(text) {
      if (!contractOf(world.profile()).choosesScenes) return refusedScene(ONE_PLACE);
      const taken = await world.link().simulation.takeScene(text);
      return taken.ok ? choose(taken.sceneId, taken.title) : taken;
    },
    hearRoom(place, metadata) {
      const sceneId = sessionSceneOf(metadata);
      if (decided.has(place)) return;
      decided.add(place);
      if (sceneId === null) return;
      wanted = { place, sceneId };
      openSession(store.getState());
    },
    goOnIn: (place) => void decided.add(place),
  };
}
