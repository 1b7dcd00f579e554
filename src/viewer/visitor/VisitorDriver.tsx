import { ShipWheel } from 'lucide-react';
import { createContext, useContext, useEffect, useMemo, useRef, useState } from 'react';
import {
  CONTROL_METHOD,
  type ControlRequest,
  DRIVER_NAME_MAX_CHARS,
  DRIVER_RENEW_MS,
  saidDriver,
} from '../../protocol/wire/driver.ts';
import { DriverNotice, type OtherProps, Since, useAsk } from '../ui/bar/DriverNotice.tsx';
import { useEngine, useViewer } from '../ui/common/engine-context.ts';
import { usePageVisible } from '../ui/common/hooks.ts';
import { leaseOf, ownIdentity } from '../ui/common/lease.ts';
import { mayAct } from '../ui/common/may-act.ts';
import { useToast } from '../ui/common/Toasts.tsx';
import { beginning } from '../ui/common/texts.ts';

/** The driver of the robot, on a visitor's page. A page that only watches shows the driver; an operator may ask for control. */
export function VisitorDriver() {
  return useViewer(mayAct) ? <OperatorDriver /> : <WatchedDriver />;
}

interface Asking {
  isAsking: boolean;
  setAsking(isAsking: boolean): void;
}
const AskingContext = createContext<Asking>({ isAsking: false, setAsking: () => undefined });

/** Asks repeatedly until control is granted, no one drives, or the person cancels. A hidden page does not ask. */
function OperatorDriver() {
  const engine = useEngine();
  const toast = useToast();
  const request = useOwnRequest('ask');
  const isSeen = usePageVisible();
  const isMine = useViewer((state) => {
    const driver = leaseOf(state);
    return Boolean(driver && driver.identity === ownIdentity(state));
  });
  const [isAsking, setAsking] = useState(false);
  const again = useRef(() => {});
  again.current = () => {
    engine.call(CONTROL_METHOD, request).then(
      (reply) => {
        const { error } = reply as { error?: { message: string } };
        if (!error) return;
        setAsking(false);
        toast('The robot stays as it is', error.message);
      },
      // The room is out of reach. The next request may get through.
      () => undefined,
    );
  };
  useEffect(() => {
    if (!isAsking || !isSeen || isMine) return;
    const timer = setInterval(() => again.current(), DRIVER_RENEW_MS);
    return () => clearInterval(timer);
  }, [isAsking, isSeen, isMine]);
  useEffect(() => {
    if (isMine) setAsking(false);
  }, [isMine]);
  const asking = useMemo(() => ({ isAsking, setAsking }), [isAsking]);
  return (
    <AskingContext value={asking}>
      <DriverNotice Other={AskForIt} />
    </AskingContext>
  );
}

function WatchedDriver() {
  const text = useViewer((state) => {
    const driver = leaseOf(state);
    return driver ? `${beginning(saidDriver(driver))} drives.` : null;
  });
  const sinceMs = useViewer((state) => leaseOf(state)?.since_ms ?? 0);
  if (text === null) return null;
  return (
    <div className="notice" data-testid="driver">
      <ShipWheel size={18} aria-hidden />
      <p role="status">{text}</p>
      <Since sinceMs={sinceMs} />
    </div>
  );
}

function AskForIt({ control }: OtherProps) {
  const { isAsking, setAsking } = useContext(AskingContext);
  const request = useOwnRequest('ask');
  return isAsking ? (
    <span className="notice-buttons">
      <span role="status">You have asked for it.</span>
      <button
        type="button"
        className="button"
        onClick={() => {
          setAsking(false);
          void control({ action: 'release' });
        }}
      >
        Stop asking
      </button>
    </span>
  ) : (
    <button type="button" className="button" onClick={async () => setAsking((await control(request)) === false)}>
      Ask for it
    </button>
  );
}

/** Takes control of the robot for the operator at this page, while no one drives it. */
export function DriveAlone() {
  const ask = useAsk();
  const request = useOwnRequest('take');
  const isFree = useViewer((state) => state.phase === 'live' && state.runtime !== null && leaseOf(state) === null);
  if (!isFree) return null;
  return (
    <button
      type="button"
      className="chip chip-button drive-alone"
      aria-label="Drive alone"
      title="Drive alone: commands of others are refused, until you let others drive, or this page closes or is hidden"
      onClick={() => void ask(request)}
    >
      <ShipWheel size={18} aria-hidden />
      <span className="wide-only">Drive alone</span>
    </button>
  );
}

/** Returns this page's request for control, with the name from the link. */
function useOwnRequest(action: 'take' | 'ask'): ControlRequest {
  const name = useViewer(({ participants }) => participants.find(({ isSelf }) => isSelf)?.name);
  return { action, kind: 'person', ...(name ? { name: [...name].slice(0, DRIVER_NAME_MAX_CHARS / 2).join('') } : {}) };
}
