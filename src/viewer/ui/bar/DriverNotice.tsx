import { ShipWheel } from 'lucide-react';
import { useEffect, useMemo, useRef } from 'react';
import { CONTROL_METHOD, type ControlRequest, DRIVER_RENEW_MS, type Driver, saidDriver } from '../../../protocol/driver.ts';
import { emergencyOf } from '../common/contract.ts';
import { useEngine, useViewer } from '../common/engine-context.ts';
import { duration } from '../common/format.ts';
import { useNow, usePageVisible } from '../common/hooks.ts';
import { useToast } from '../common/Toasts.tsx';
import { beginning } from '../common/words.ts';

const HIDDEN = 'This page was hidden, and nobody drives now: whoever calls commands.';

/** Who drives the robot, and what the person at its page may do about it. Shows nothing while nobody drives. */
export function DriverNotice() {
  const text = useViewer(({ runtime }) => JSON.stringify(runtime?.robot.extra.driver ?? null));
  const driver = useMemo(() => JSON.parse(text) as Driver | null, [text]);
  // One notice at a time: these are more urgent, and say that nobody commands.
  const isCovered = useViewer((state) => emergencyOf(state) !== null || state.connection.kind !== 'connected');
  const isMine = driver !== null && driver.identity === null;
  const control = useControl(isMine, driver);
  if (driver === null || isCovered) return null;
  return (
    <div className="notice">
      <ShipWheel size={18} aria-hidden />
      {isMine ? (
        <Mine driver={driver} control={control} />
      ) : (
        <>
          <p role="status">
            <strong>{beginning(saidDriver(driver))} drives.</strong> Commands of others are refused; a stop is not.
          </p>
          <Since sinceMs={driver.since_ms} />
          <button type="button" className="button" onClick={() => control({ action: 'take' })}>
            Take over
          </button>
        </>
      )}
    </div>
  );
}

type Control = (request: ControlRequest) => void;

function Mine({ driver: { since_ms: sinceMs, asked_by: askers }, control }: { driver: Driver; control: Control }) {
  const [asker] = askers;
  return (
    <>
      <p role={asker ? 'alert' : 'status'}>
        <strong>You drive.</strong>{' '}
        {asker ? `${beginning(saidDriver(asker))} asks for the robot.` : 'Commands of others are refused; a stop is not.'}
      </p>
      <Since sinceMs={sinceMs} />
      <span className="notice-buttons">
        {asker && (
          <button type="button" className="button" onClick={() => control({ action: 'give' })}>
            Give it
          </button>
        )}
        <button type="button" className="button" onClick={() => control({ action: 'release' })}>
          Let others drive
        </button>
      </span>
    </>
  );
}

function Since({ sinceMs }: { sinceMs: number }) {
  const nowMs = useNow(1_000);
  return (
    <span className="muted" aria-live="off">
      for {duration(Math.max(0, nowMs - sinceMs))}
    </span>
  );
}

/** Says for a person who sees this page that they are there, and tells one who has lost the robot. @returns what carries out a person's wish */
function useControl(isMine: boolean, driver: Driver | null): Control {
  const engine = useEngine();
  const toast = useToast();
  const isSeen = usePageVisible();
  const wasMine = useRef(false);
  /** The person gave it away, and need not be told. */
  const isWanted = useRef(false);
  useEffect(() => {
    // A person who does not see the robot does not drive it: their silence ends the lease.
    if (!isMine || !isSeen) return;
    const timer = setInterval(() => void engine.call(CONTROL_METHOD, { action: 'renew' }), DRIVER_RENEW_MS);
    return () => clearInterval(timer);
  }, [engine, isMine, isSeen]);
  useEffect(() => {
    if (wasMine.current && !isMine && !isWanted.current) {
      toast('You drive no more', driver ? `${beginning(saidDriver(driver))} drives now.` : HIDDEN);
    }
    if (!isMine) isWanted.current = false;
    wasMine.current = isMine;
  }, [isMine, driver, toast]);
  return (request) => {
    isWanted.current = request.action !== 'take';
    void engine.call(CONTROL_METHOD, request).then((reply) => {
      const { error } = reply as { error?: { message: string } };
      if (error) toast('The robot stays as it is', error.message);
    });
  };
}
