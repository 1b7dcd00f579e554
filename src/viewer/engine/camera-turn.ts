/** A picture that has not come by then, after the robot, may never come. */
const LONGEST_WAIT_MS = 5_000;

/** Lets the people's picture be drawn before the robot's cameras start, where the processor can draw only one of them at a time. */
export interface CameraTurn {
  /** Waits for the robot, and then for the picture, from now on. */
  wait(): void;
  /** The robot can act, or has failed: the picture is the next to come. */
  robotIsSettled(): void;
  /** The picture is on the screen, or nothing can draw it. */
  pictureIsShown(): void;
  /** Resolves when nothing waits. */
  over(): Promise<void>;
  dispose(): void;
}

/**
 * @param visibility of the page: nothing draws a picture for people on a hidden one
 * @param start starts the cameras; called once
 */
export function createCameraTurn(
  visibility: { isHidden(): boolean; subscribe(onChange: () => void): () => void },
  start: () => void,
): CameraTurn {
  let isShown = false;
  let isSettled = false;
  let stopWaiting: (() => void) | null = null;
  let hasStarted = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const toldOver: (() => void)[] = [];

  function startNow(): void {
    endWaiting();
    if (hasStarted) return;
    hasStarted = true;
    start();
    for (const tell of toldOver.splice(0)) tell();
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
    over: () => (stopWaiting ? new Promise((resolve) => void toldOver.push(resolve)) : Promise.resolve()),
    dispose() {
      hasStarted = true;
      endWaiting();
      for (const tell of toldOver.splice(0)) tell();
    },
  };
}
