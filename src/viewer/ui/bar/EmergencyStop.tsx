import { OctagonAlert } from 'lucide-react';
import { useEffect } from 'react';
import { useEngine, useViewer } from '../common/engine-context.ts';
import { controlOf, useIsWorker } from '../common/worker.ts';
import { TAKES_TEXT, within } from '../drive/elsewhere.ts';

/** Of the worker profile: the button at the robot. Pressed, it stays pressed until it is released in the notice that it brings. */
export function EmergencyStop() {
  const engine = useEngine();
  const shown = useIsWorker();
  const live = useViewer(({ phase }) => phase === 'live');
  const latched = useViewer((state) => controlOf(state)?.emergency_stop ?? false);
  useEmergencyKey(shown && live);
  if (!shown || !live) return null;
  return (
    <button
      type="button"
      className="emergency-stop"
      aria-pressed={latched}
      aria-label="Emergency stop"
      aria-keyshortcuts="Shift+Backspace"
      title="Brakes, lets the arms go limp, and refuses every command until it is released (Shift and Backspace)"
      onClick={() => engine.emergencyStop(true)}
    >
      <OctagonAlert size={20} aria-hidden />
      <span className="emergency-words">Emergency stop</span>
    </button>
  );
}

/** Two keys of two hands, which nobody hits by chance; they press the button and never release it. */
function useEmergencyKey(active: boolean): void {
  const engine = useEngine();
  useEffect(() => {
    if (!active) return;
    const onKey = (event: KeyboardEvent) => {
      if (event.code !== 'Backspace' || !event.shiftKey || event.ctrlKey || event.metaKey || event.altKey) return;
      // Only where text is written do these keys mean something else.
      if (within(event.target, TAKES_TEXT)) return;
      event.preventDefault();
      engine.emergencyStop(true);
    };
    window.addEventListener('keydown', onKey, { capture: true });
    return () => window.removeEventListener('keydown', onKey, { capture: true });
  }, [engine, active]);
}
