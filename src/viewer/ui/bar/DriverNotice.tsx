import { ShipWheel } from 'lucide-react';
import { type ComponentType, useEffect, useMemo, useRef } from 'react';
import { CONTROL_METHOD, type ControlRequest, DRIVER_RENEW_MS, type Driver, saidDriver } from '../../../protocol/driver.ts';
import type { Engine } from '../../engine/types.ts';
import { emergencyOf } from '../common/contract.ts';
import { useEngine, useViewer } from '../common/engine-context.ts';
import { duration } from '../common/format.ts';
import { useNow, usePageVisible } from '../common/hooks.ts';
import { leaseOf, ownIdentity } from '../common/lease.ts';
import { useToast } from '../common/Toasts.tsx';
import { beginning } from '../common/words.ts';

const NOBODY = 'Nobody drives now: anybody in the room may command the robot.';
const SILENT = `This page was hidden or cut off. ${NOBODY}`;
const BY_OWNER = `The robot’s owner has taken it from you. ${NOBODY}`;

/** Puts a person's wish about the lease to the robot; what it refuses is shown. @returns whether this page drives now; null where it was refused */
export type Control = (request: ControlRequest) => Promise<boolean | null>;

export interface OtherProps {
  driver: Driver;
  control: Control;
}

/**
 * Who drives the robot, and what the person at this page may do about it. Shows nothing while nobody drives.
 * @param Other what they may do while another drives: at the robot's own page, take it over
 */
export function DriverNotice({ Other = TakeOver }: { Other?: ComponentType<OtherProps> | undefined }) {
  // Of what nobody knows, what was known last stays: a page that is cut off has lost nothing yet.
  const text = useViewer((state) => JSON.stringify(leaseOf(state)));
  const known = useRef<Driver | null>(null);
  const driver = useMemo(() => {
    if (text !== undefined) known.current = JSON.parse(text) as Driver | null;
    return known.current;
  }, [text]);
  // One notice at a time: these are more urgent, and say that nobody commands.
  const isCovered = useViewer(
    (state) => emergencyOf(state) !== null || state.connection.kind !== 'connected' || state.visit?.robotIsThere === false,
  );
  const me = useViewer(ownIdentity);
  const isMine = driver !== null && driver.identity === me;
  const control = useControl(isMine, driver);
  if (driver === null || isCovered) return null;
  return (
    <div className="notice" data-testid="driver">
      <ShipWheel size={18} aria-hidden />
      {isMine ? (
        <Mine driver={driver} control={control} />
      ) : (
        <>
          <p role="status">
            <strong>{beginning(saidDriver(driver))} drives.</strong> Commands of others are refused; a stop is not.
          </p>
          <Since sinceMs={driver.since_ms} />
          <Other driver={driver} control={control} />
        </>
      )}
    </div>
  );
}

function TakeOver({ control }: OtherProps) {
  return (
    <button type="button" className="button" onClick={() => void control({ action: 'take' })}>
      Take over
    </button>
  );
}

function Mine({ driver: { since_ms: sinceMs, asked_by: askers }, control }: OtherProps) {
  const [first, ...more] = askers;
  const asking = first && (more.length === 0 ? `${beginning(saidDriver(first))} asks` : `${askers.length} others ask`);
  return (
    <>
      <p role={asking ? 'alert' : 'status'}>
        <strong>You drive.</strong> {asking ? `${asking} for the robot.` : 'Commands of others are refused; a stop is not.'}
      </p>
      <Since sinceMs={sinceMs} />
      <span className="notice-buttons">
        {askers.map(({ identity, name }) => (
          <button
            type="button"
            className="button"
            key={identity}
            onClick={() => void control({ action: 'give', ...(identity === null ? {} : { to: identity }) })}
          >
            {more.length === 0 ? 'Give it' : `Give it to ${name}`}
          </button>
        ))}
        <button type="button" className="button" onClick={() => void control({ action: 'release' })}>
          Let others drive
        </button>
      </span>
    </>
  );
}

/** Counts up how long it has been so. */
export function Since({ sinceMs }: { sinceMs: number }) {
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
  const control = useAsk();
  const isSeen = usePageVisible();
  const wasMine = useRef(false);
  /** The person gave it away, and need not be told. */
  const isWanted = useRef(false);
  useEffect(() => {
    // A person who does not see the robot does not drive it: their silence ends the lease.
    if (!isMine || !isSeen) return;
    const renew = () => void engine.call(CONTROL_METHOD, { action: 'renew' }).catch(() => undefined);
    const timer = setInterval(renew, DRIVER_RENEW_MS);
    return () => clearInterval(timer);
  }, [engine, isMine, isSeen]);
  useEffect(() => {
    if (wasMine.current && !isMine && !isWanted.current) {
      const told = driver ? Promise.resolve(`${beginning(saidDriver(driver))} drives now.`) : whyLost(engine);
      void told.then((words) => toast('You no longer drive', words));
    }
    if (!isMine) isWanted.current = false;
    wasMine.current = isMine;
  }, [isMine, driver, engine, toast]);
  return async (request) => {
    isWanted.current = request.action === 'give' || request.action === 'release';
    const answer = await control(request);
    // What was refused has changed nothing, and a later loss is not this person's wish.
    if (answer === null) isWanted.current = false;
    return answer;
  };
}

/** Asks how the lease ended: a renewal of the one who drove last is answered so. */
async function whyLost(engine: Engine): Promise<string> {
  const reply = await engine.call(CONTROL_METHOD, { action: 'renew' }).catch(() => null);
  const { lost_by: lostBy, by } =
    (reply as { error?: { details?: { lost_by?: string; by?: string } } } | null)?.error?.details ?? {};
  if (by === 'owner') return BY_OWNER;
  return lostBy === 'silent' || lostBy === 'left' ? SILENT : NOBODY;
}

/** @returns what puts a wish about the lease to the robot, and shows why it was refused */
export function useAsk(): Control {
  const engine = useEngine();
  const toast = useToast();
  return async (request) => {
    const reply = await engine.call(CONTROL_METHOD, request).catch((error: unknown) => ({ error: error as { message: string } }));
    const { error, result } = reply as { error?: { message: string }; result?: { you_drive?: boolean } };
    if (error) toast('The robot stays as it is', error.message);
    return error ? null : result?.you_drive === true;
  };
}
