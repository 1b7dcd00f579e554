import { OctagonAlert, ShieldOff } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { controlOf } from '../common/contract.ts';
import { useEngine, useViewer } from '../common/engine-context.ts';

/** How long the question about releasing waits for its answer. */
const ASKS_FOR_MS = 30_000;

/** A second click this soon is half of a double click on the element that was here before. */
const RELEASES_AFTER_MS = 600;

/** Notices for everybody at the page of such a robot: the emergency stop is latched, or unsigned calls are accepted. */
export function RcwNotices() {
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

/** Releases on a second press, on another button than the first and not by a double click. The focus moves to the safe choice. */
function LatchedNotice() {
  const engine = useEngine();
  const [asking, setAsking] = useState(false);
  const [releasable, setReleasable] = useState(false);
  const keep = useRef<HTMLButtonElement>(null);
  const ask = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!asking) return;
    keep.current?.focus();
    const ready = setTimeout(() => setReleasable(true), RELEASES_AFTER_MS);
    const end = setTimeout(() => setAsking(false), ASKS_FOR_MS);
    return () => {
      clearTimeout(ready);
      clearTimeout(end);
      setReleasable(false);
    };
  }, [asking]);
  const keepStopped = () => {
    flushSync(() => setAsking(false));
    ask.current?.focus();
  };
  return (
    <div className="notice notice-stopped">
      <OctagonAlert size={18} aria-hidden />
      <p role="alert">
        <strong>Emergency stop.</strong>{' '}
        {asking
          ? 'After that the robot accepts commands again. Releasing moves nothing: the arms hang until the next command.'
          : 'The robot brakes, its arms are limp, and it accepts no command until the stop is released.'}
      </p>
      {asking ? (
        <span className="notice-buttons">
          <button type="button" className="button" ref={keep} onClick={keepStopped}>
            Keep it stopped
          </button>
          <button
            type="button"
            className="button button-release"
            disabled={!releasable}
            onClick={() => engine.emergencyStop(false)}
          >
            Release the robot
          </button>
        </span>
      ) : (
        <button type="button" className="button" ref={ask} onClick={() => setAsking(true)}>
          Release…
        </button>
      )}
    </div>
  );
}
