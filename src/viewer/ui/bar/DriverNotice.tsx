import { ShipWheel } from 'lucide-react';
import { type ComponentType, useEffect, useMemo, useRef } from 'react';
import {
  CONTROL_METHOD,
  type ControlRequest,
  DRIVER_RENEW_MS,
  type Driver,
  isPageAgent,
  saidDriver,
} from '../../../protocol/wire/driver.ts';
import type { Engine } from '../../engine/types.ts';
import { emergencyOf } from '../common/contract.ts';
import { useEngine, useViewer } from '../common/engine-context.ts';
import { duration } from '../common/format.ts';
import { useNow, usePageVisible } from '../common/hooks.ts';
import { leaseOf, ownIdentity } from '../common/lease.ts';
import { useToast } from '../common/Toasts.tsx';
import { beginning } from '../common/texts.ts';

const NOBODY = 'No one drives: every participant in the room may command the robot.';
const SILENT = `This page was hidden or cut off. ${NOBODY}`;
const BY_OWNER = `The robot’s owner has taken it from you. ${NOBODY}`;

/**
 * Sends a person's request about the lease to the robot, and shows a rejection. @returns whether this page drives now; null if it
 * was rejected
 */
export type Control = (request: ControlRequest) => Promise<boolean | null>;

export interface OtherProps {
  driver: Driver;
  control: Control;
}

/**
 * The driver of the robot, and the options of the person at this page. Shows nothing while no one drives.
 * @param Other the options while another person drives: at the robot's own page, taking over
 */
export function DriverNotice({ Other = TakeOver }: { Other?: ComponentType<OtherProps> | undefined }) {
  // While the lease is unknown, the last known one stays: a page that is cut off has not lost control yet.
  const text = useViewer((state) => JSON.stringify(leaseOf(state)));
  const known = useRef<Driver | null>(null);
  const driver = useMemo(() => {
    if (text !== undefined) known.current = JSON.parse(text) as Driver | null;
    return known.current;
  }, [text]);
  // Only one notice is shown at a time. These are more urgent, and report that no one commands the robot.
  const isCovered = useViewer(
    (state) => emergencyOf(state) !== null || state.connection.kind !== 'connected' || state.visit?.robotIsThere === false,
  );
  const me = useViewer(ownIdentity);
  const isAgentHere = driver !== null && isPageAgent(driver);
  const isMine = driver !== null && driver.identity === me && !isAgentHere;
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
          {isAgentHere && me === null ? <EndAgent control={control} /> : <Other driver={driver} control={control} />}
        </>
      )}
    </div>
  );
}

/** Takes the lease of an agent in this browser. A program that calls as this page must release it first. */
function EndAgent({ control }: Pick<OtherProps, 'control'>) {
  const takeOver = async () => {
    if ((await control({ action: 'release' })) !== null) await control({ action: 'take' });
  };
  return (
    <button type="button" className="button" onClick={() => void takeOver()}>
      Take over
    </button>
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
        {askers.map(
          ({ identity, name }, at) =>
            // An agent at the robot's page has no identity to name, so it gets the robot when it is the first who asks.
            (identity !== null || at === 0) && (
              <button
                type="button"
                className="button"
                key={identity}
                onClick={() => void control({ action: 'give', ...(identity === null ? {} : { to: identity }) })}
              >
                {more.length === 0 ? 'Give it' : `Give it to ${name}`}
              </button>
            ),
        )}
        <button type="button" className="button" onClick={() => void control({ action: 'release' })}>
          Let others drive
        </button>
      </span>
    </>
  );
}

/** Shows the time since a moment, counting up. */
export function Since({ sinceMs }: { sinceMs: number }) {
  const nowMs = useNow(1_000);
  return (
    <span className="muted" aria-live="off">
      for {duration(Math.max(0, nowMs - sinceMs))}
    </span>
  );
}

/**
 * Renews the lease while the person sees this page, and notifies a person who has lost control. @returns a function that sends a
 * person's request
 */
function useControl(isMine: boolean, driver: Driver | null): Control {
  const engine = useEngine();
  const toast = useToast();
  const control = useAsk();
  const isSeen = usePageVisible();
  const wasMine = useRef(false);
  /** Whether the person gave up control, and so needs no notification. */
  const isWanted = useRef(false);
  useEffect(() => {
    // A person who does not see the robot does not drive it, so a hidden page lets the lease expire.
    if (!isMine || !isSeen) return;
    const renew = () => void engine.call(CONTROL_METHOD, { action: 'renew' }).catch(() => undefined);
    const timer = setInterval(renew, DRIVER_RENEW_MS);
    return () => clearInterval(timer);
  }, [engine, isMine, isSeen]);
  useEffect(() => {
    if (wasMine.current && !isMine && !isWanted.current) {
      const reason = driver ? Promise.resolve(`${beginning(saidDriver(driver))} drives now.`) : whyLost(engine);
      void reason.then((sentence) => toast('You no longer drive', sentence));
    }
    if (!isMine) isWanted.current = false;
    wasMine.current = isMine;
  }, [isMine, driver, engine, toast]);
  return async (request) => {
    isWanted.current = request.action === 'give' || request.action === 'release';
    const answer = await control(request);
    // A rejected request has changed nothing, so a later loss is not this person's intention.
    if (answer === null) isWanted.current = false;
    return answer;
  };
}

/** Asks how the lease ended. The robot answers this to a renewal by the last driver. */
async function whyLost(engine: Engine): Promise<string> {
  const reply = await engine.call(CONTROL_METHOD, { action: 'renew' }).catch(() => null);
  const { lost_by: lostBy, by } =
    (reply as { error?: { details?: { lost_by?: string; by?: string } } } | null)?.error?.details ?? {};
  if (by === 'owner') return BY_OWNER;
  return lostBy === 'silent' || lostBy === 'left' ? SILENT : NOBODY;
}

/** Returns a function that sends a request about the lease to the robot, and shows why it was rejected. */
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
