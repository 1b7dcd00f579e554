import { useEffect } from 'react';
import { useEngine } from '../common/engine-context.ts';
import { somethingMoves } from '../common/motion.ts';

/** Fields that take text need the space bar for themselves. */
const takesText = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'));

/**
 * Stops the robot with the space bar while something moves, wherever the focus is. After a click on a button, the space bar must
 * not press that button again. Enter still presses buttons.
 */
export function useStopKey(): void {
  const engine = useEngine();
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.code !== 'Space' || takesText(event.target)) return;
      const state = engine.store.getState();
      if (state.phase !== 'live' || !somethingMoves(state)) return;
      event.preventDefault();
      event.stopPropagation();
      if (event.type === 'keydown' && !event.repeat) engine.stop();
    };
    // A button is pressed on keyup of the space bar, so both events are handled before anything else sees them.
    window.addEventListener('keydown', onKey, { capture: true });
    window.addEventListener('keyup', onKey, { capture: true });
    return () => {
      window.removeEventListener('keydown', onKey, { capture: true });
      window.removeEventListener('keyup', onKey, { capture: true });
    };
  }, [engine]);
}
