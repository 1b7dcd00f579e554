/** Longest wait for the picture after the robot is ready. A later picture may never come. */
const LONGEST_WAIT_MS = 5_000;

/** Lets the picture for people be drawn before the robot's cameras start, on processors that can draw only one at a time. */
export interface CameraStart {
  /** Starts to wait: first for the robot, then for the picture. */
  wait(): void;
  /** Notes that the robot can act or has failed. The picture is next. */
  robotIsSettled(): void;
  /** Notes that the picture is on the screen, or that nothing can draw it. */
  pictureIsShown(): void;
  /** Resolves when nothing has to wait any more. */
  over(): Promise<void>;
  dispose(): void;
}

/**
 * Creates the order of picture and cameras.
 * @param visibility of the page; a hidden page draws no picture for people
 * @param start starts the cameras; called once
 */
export function createCameraStart(
  visibility: { isHidden(): boolean; subscribe(onChange: () => void): () => void },
  start: () => void,
): CameraStart {
  let isShown = false;
  let isSettled = false;
  let stopWaiting: (() => void) | null = null;
  let hasStarted = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const startOver: (() => void)[] = [];

  function startNow(): void {
    endWaiting();
    if (hasStarted) return;
    hasStarted = true;
    start();
    for (const report of startOver.splice(0)) report();
  }

  function endWaiting(): void {
    stopWaiting?.();
    stopWaiting = null;
  }

  return {
    wait() {
      if (stopWaiting || hasStarted) return;
      if (isShown || visibility.isHidden()) return startNow();
      const stopWatching = visibility.subscribe(() => visibility.isHidden() && startNow());
      stopWaiting = () => {
        clearTimeout(timer);
        stopWatching();
      };
      if (isSettled) timer = setTimeout(startNow, LONGEST_WAIT_MS);
    },
    robotIsSettled() {
      if (isSettled) return;
      isSettled = true;
      if (stopWaiting) timer = setTimeout(startNow, LONGEST_WAIT_MS);
    },
    pictureIsShown() {
      isShown = true;
      if (stopWaiting) startNow();
    },
    over: () => (stopWaiting ? new Promise((resolve) => void startOver.push(resolve)) : Promise.resolve()),
    dispose() {
      hasStarted = true;
      endWaiting();
      for (const report of startOver.splice(0)) report();
    },
  };
}
