import type { Cameras } from '../../cameras/camera-client.ts';
import { CameraError } from '../../cameras/camera-error.ts';
import type { ScenePlace } from '../../protocol/wire/place.ts';
import type { CameraState } from '../../runtime/action-record.ts';

/** The cameras of one world, across its places and the cameras' failures. */
export interface WorldCameras {
  /** Returns the cameras that work at the moment; null if there are none. */
  now(): Cameras | null;
  /**
   * Resolves when the cameras are built; after a failure, when the next place has rebuilt them.
   * @throws Error with a sentence when they do not work
   */
  ready(): Promise<Cameras>;
  /** Allows the cameras to start, as soon as the place is known. */
  allow(): void;
  /** Takes the next pictures in this place. Cameras that have failed start again. */
  setLayout(layout: ScenePlace): void;
  /** Rejects all waits for the first cameras, with the reason. */
  giveUp(problem: string): void;
  dispose(problem: string): void;
}

interface WorldCamerasDeps {
  /** Builds cameras in a place. */
  create(layout: ScenePlace): Promise<Cameras>;
  /** Called when the cameras are available, have failed, or start again. */
  report(state: CameraState): void;
}

/** Cameras that are being built or that work. */
interface Attempt {
  cameras: Cameras | null;
}

/** The outcome of an attempt. The code that waits for the cameras receives it. Only the first outcome counts. */
interface Outcome {
  promise: Promise<{ problem: string | null }>;
  resolve(said: { problem: string | null }): void;
}

/**
 * Builds cameras when they may start, and follows the world's places. If a place makes the cameras fail, there are none until the
 * next place rebuilds them.
 */
export function createWorldCameras({ create, report }: WorldCamerasDeps): WorldCameras {
  let layout: ScenePlace | null = null;
  let isAllowed = false;
  let isDisposed = false;
  let attempt: Attempt | null = null;
  let problem: string | null = null;
  /** Whether pictures could be taken in any place so far. */
  let haveWorked = false;
  let outcome = newOutcome();

  function start(): void {
    if (!isAllowed || !layout || attempt || isDisposed) return;
    if (problem !== null) {
      problem = null;
      outcome = newOutcome();
      report({ kind: 'starting' });
    }
    void build({ cameras: null }, layout);
  }

  async function build(mine: Attempt, first: ScenePlace): Promise<void> {
    attempt = mine;
    try {
      const cameras = await create(first);
      if (isDisposed) return cameras.dispose();
      mine.cameras = cameras;
      if (layout && layout !== first) follow(mine, cameras, layout);
      await cameras.warmUp();
    } catch (error) {
      return failed(mine, error, first);
    }
    if (attempt !== mine || isDisposed) return;
    haveWorked = true;
    outcome.resolve({ problem: null });
    report({ kind: 'ready' });
  }

  function follow(mine: Attempt, cameras: Cameras, next: ScenePlace): void {
    cameras.setLayout(next).catch((error: unknown) => failed(mine, error, next));
  }

  /** Ends an attempt. Replies of cameras that are already closed are ignored. */
  function failed(mine: Attempt, error: unknown, place: ScenePlace): void {
    if (attempt !== mine || isDisposed) return;
    attempt = null;
    mine.cameras?.dispose();
    problem = sentenceOf(error, haveWorked);
    outcome.resolve({ problem });
    report({ kind: 'broken', message: problem });
    // The place changed before the failure was known.
    if (layout !== place) start();
  }

  return {
    now: () => attempt?.cameras ?? null,
    async ready() {
      const said = await outcome.promise;
      const why = problem ?? said.problem;
      const cameras = attempt?.cameras;
      if (why !== null || !cameras) throw new Error(why ?? CAMERAS_BROKEN);
      return cameras;
    },
    allow() {
      isAllowed = true;
      start();
    },
    setLayout(next) {
      layout = next;
      if (attempt?.cameras) follow(attempt, attempt.cameras, next);
      else start();
    },
    giveUp: (why) => outcome.resolve({ problem: why }),
    dispose(why) {
      isDisposed = true;
      attempt?.cameras?.dispose();
      outcome.resolve({ problem: why });
      problem = why;
    },
  };
}

const CAMERAS_BROKEN = 'The cameras do not work in this browser: WebGL is needed.';

function newOutcome(): Outcome {
  let resolve: Outcome['resolve'] = () => undefined;
  const promise: Outcome['promise'] = new Promise((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

/** Cameras that never took a picture nearly always lack WebGL. The error message for that is written for programmers. */
const sentenceOf = (error: unknown, haveWorked: boolean): string =>
  error instanceof CameraError && (haveWorked || error.reason !== 'failed') ? error.message : CAMERAS_BROKEN;
