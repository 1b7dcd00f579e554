import { OctagonAlert, ShieldOff } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useEngine, useViewer } from '../common/engine-context.ts';
import { controlOf } from '../common/worker.ts';

/** How long the question whether to release waits for its answer. */
const ASKS_FOR_MS = 30_000;

/** What everybody at the page of a worker has to know: the emergency stop is latched, or unsigned calls are taken. */
export function WorkerNotices() {
  const live = useViewer(({ phase }) => phase === 'live');
  const latched = useViewer((state) => controlOf(state)?.emergency_stop ?? false);
  const unsigned = useViewer((state) => controlOf(state)?.signed_only === false);
  if (!live) return null;
  return (
    <>
      {latched && <LatchedNotice />}
      {unsigned && (
        <div className="notice notice-bad">
          <ShieldOff size={18} aria-hidden />
          <p role="status">
            <strong>Unsigned calls are accepted.</strong> Whoever is in the room can move this robot. For development only.
          </p>
        </div>
      )}
    </>
  );
}

/** Released by a second press, on another button than the first. */
function LatchedNotice() {
  const engine = useEngine();
  const [asking, setAsking] = useState(false);
  useEffect(() => {
    if (!asking) return;
    const timer = setTimeout(() => setAsking(false), ASKS_FOR_MS);
    return () => clearTimeout(timer);
  }, [asking]);
  return (
    <div className="notice notice-stopped">
      <OctagonAlert size={18} aria-hidden />
      <p role="alert">
        <strong>Emergency stop.</strong>{' '}
        {asking
          ? 'Released, the robot takes commands again and its arms go back to the walking controller.'
          : 'The robot brakes, its arms are limp, and it takes no command until the stop is released.'}
      </p>
      {asking ? (
        <span className="notice-buttons">
          <button type="button" className="button" onClick={() => setAsking(false)}>
            Keep it stopped
          </button>
          <button type="button" className="button button-release" onClick={() => engine.emergencyStop(false)}>
            Release the robot
          </button>
        </span>
      ) : (
        <button type="button" className="button" onClick={() => setAsking(true)}>
          Release…
        </button>
      )}
    </div>
  );
}
