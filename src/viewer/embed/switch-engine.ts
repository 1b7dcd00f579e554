import { createStore } from 'zustand/vanilla';
import type { Engine, ViewerState } from '../engine/types.ts';

/** The two kinds of engine that a frame may need. Its key determines the kind, and may arrive after the frame has started. */
export interface EngineKinds {
  isForVisitor(key: string): boolean;
  /** Creates the engine of a frame that is the robot. */
  createRobot(takenKey: string): Engine;
  /** Loads and creates the engine of a frame whose robot runs elsewhere. */
  createVisitor(takenKey: string): Promise<Engine>;
}

const PART_MISSING = 'Part of this page could not be loaded. Check the connection and send the key again.';

/**
 * Wraps the frame's first engine in one that changes to the other kind when a key requires it.
 * @param visits whether the first is the engine of a robot that runs elsewhere
 */
export function createSwitchEngine(kinds: EngineKinds, first: Engine, visits: boolean): Engine {
  const store = createStore<ViewerState>(() => first.store.getState());
  let current = first;
  /** Counts the keys, so that only the last one has an engine. */
  let turn = 0;
  let stopFollowing = follow(first);

  /** Copies the state of an engine. @returns a function that stops it */
  function follow(engine: Engine): () => void {
    store.setState(engine.store.getState(), true);
    return engine.store.subscribe((state) => store.setState(state, true));
  }

  function become(next: Engine, isVisitor: boolean): void {
    current.dispose();
    current = next;
    visits = isVisitor;
    lookAtCurrent();
  }

  function lookAtCurrent(): void {
    stopFollowing();
    stopFollowing = follow(current);
  }

  function connect(pasted: string): void {
    turn += 1;
    if (kinds.isForVisitor(pasted) === visits) {
      lookAtCurrent();
      current.connect(pasted);
    } else if (visits) become(kinds.createRobot(pasted), false);
    else becomeVisitor(pasted, turn);
  }

  function becomeVisitor(key: string, mine: number): void {
    // Changes of the previous room do not concern this key.
    stopFollowing();
    store.setState({ gateProblem: null, phase: 'loading', connection: { kind: 'joining' } });
    kinds
      .createVisitor(key)
      .then((visitor) => (mine === turn ? become(visitor, true) : visitor.dispose()))
      .catch(() => {
        if (mine !== turn) return;
        lookAtCurrent();
        store.setState({ gateProblem: PART_MISSING });
      });
  }

  return {
    store,
    frames: { latest: () => current.frames.latest(), overlay: () => current.frames.overlay() },
    layout: () => current.layout(),
    connect,
    tryHere: (sceneId, robotId) => current.tryHere(sceneId, robotId),
    openScene: (text) => current.openScene(text),
    heldKey: () => current.heldKey(),
    stop: () => current.stop(),
    emergencyStop: (latched) => current.emergencyStop(latched),
    disconnect: () => current.disconnect(),
    retry: () => current.retry(),
    capture: (camera, widthPx, heightPx) => current.capture(camera, widthPx, heightPx),
    call: (method, payload, mark) => current.call(method, payload, mark),
    dispose() {
      turn += 1;
      stopFollowing();
      current.dispose();
    },
  };
}
