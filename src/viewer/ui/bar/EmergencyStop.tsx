import { OctagonAlert } from 'lucide-react';
import { useEffect } from 'react';
import { emergencyOf, useContract } from '../common/contract.ts';
import { TAKES_TEXT, within } from '../common/elsewhere.ts';
import { useEngine, useViewer } from '../common/engine-context.ts';

/** The emergency stop of this page's robot. Once pressed, it stays pressed until it is released in the notice that appears. */
export function EmergencyStop() {
  const engine = useEngine();
  const { stopped } = useContract().emergency;
  const live = useViewer(({ phase }) => phase === 'live');
  const latched = useViewer((state) => emergencyOf(state) !== null);
  const where = useViewer(({ visit }) => (visit === null ? 'here' : 'at the robot’s page or its worker’s machine'));
  useEmergencyKey(live);
  if (!live) return null;
  return (
    <button
      type="button"
      className="emergency-stop"
      aria-pressed={latched}
      aria-label="Emergency stop"
      aria-keyshortcuts="Shift+Backspace"
      title={`Shift and Backspace: the robot brakes, ${stopped}, and it accepts no command until a person releases it ${where}`}
      onClick={() => engine.emergencyStop(true)}
    >
      <OctagonAlert size={20} aria-hidden />
      <span className="emergency-words">Emergency stop</span>
    </button>
  );
}

/**
 * Handles a shortcut of two keys for two hands, which cannot be pressed by accident. It presses the button and never releases it.
 */
function useEmergencyKey(active: boolean): void {
  const engine = useEngine();
  useEffect(() => {
    if (!active) return;
    const onKey = (event: KeyboardEvent) => {
      if (event.code !== 'Backspace' || !event.shiftKey || event.ctrlKey || event.metaKey || event.altKey) return;
      // These keys have another meaning only in text fields.
      if (within(event.target, TAKES_TEXT)) return;
      event.preventDefault();
      engine.emergencyStop(true);
    };
    window.addEventListener('keydown', onKey, { capture: true });
    return () => window.removeEventListener('keydown', onKey, { capture: true });
  }, [engine, active]);
}
