/** A picture that has not come by then may never come. */
const LONGEST_WAIT_MS = 5_000;

/** Lets the people's picture be drawn before the robot's cameras start, where the processor can draw only one of them at a time. */
export interface CameraTurn {
  /** Waits for the picture, from now on. */
  wait(): void;
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
  let stopWaiting: (() => void) | null = null;
  let hasStarted = false;
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
      const timer = setTimeout(startNow, LONGEST_WAIT_MS);
      const stopWatching = visibility.subscribe(() => visibility.isHidden() && startNow());
      stopWaiting = () => {
        clearTimeout(timer);
        stopWatching();
      };
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
