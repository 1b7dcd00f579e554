import { OctagonAlert, ShieldOff } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { quoted, shownName } from '../../../common/shown-text.ts';
import { callerName, PAGE } from '../../../protocol/wire/caller.ts';
import type { LatchedState, ReleasePlace } from '../../../protocol/wire/emergency-stop.ts';
import type { ViewerState } from '../../engine/types.ts';
import { controlOf, emergencyOf, useContract } from '../common/contract.ts';
import { useEngine, useViewer } from '../common/engine-context.ts';
import { ownIdentity } from '../common/lease.ts';
import { participantName } from '../common/texts.ts';

/** How long the question about a release waits for its answer. */
const ASKS_FOR_MS = 30_000;

/** How long a release is shown. */
const RELEASED_FOR_MS = 15_000;

/** A second click this soon is half of a double click on the element that was here before. */
const RELEASES_AFTER_MS = 600;

/** Notices for everyone at the page of a robot: the emergency stop is latched, or unsigned calls are accepted. */
export function RcwNotices() {
  const live = useViewer(({ phase }) => phase === 'live');
  const latched = useViewer((state) => emergencyOf(state) !== null);
  const unsigned = useViewer((state) => controlOf(state)?.signed_only === false);
  if (!live) return null;
  return (
    <>
      {latched && <LatchedNotice />}
      <ReleasedNotice />
      {unsigned && (
        <div className="notice notice-bad">
          <ShieldOff size={18} aria-hidden />
          <p role="status">
            <strong>Unsigned calls are accepted.</strong> Every participant in the room can move this robot. For development only.
          </p>
        </div>
      )}
    </>
  );
}

/** Returns who pressed and why, in the same words wherever the robot runs. */
function whoAndWhy(state: Pick<ViewerState, 'runtime' | 'visit' | 'participants' | 'known'>): string {
  const latched = emergencyOf(state);
  if (latched === null) return '';
  const reason = latched.reason === null ? '' : `: ${quoted(shownName(latched.reason))}`;
  return `Pressed ${whoPressed(latched, state)}${reason}. `;
}

/**
 * Returns the name of the person who pressed, as used everywhere on the page; the identity only if the room has no name for it.
 */
function whoPressed({ by, by_name: name }: LatchedState, state: Pick<ViewerState, 'visit' | 'participants' | 'known'>): string {
  if (by === callerName(PAGE)) return state.visit === null ? 'at this page' : 'at the robot’s page';
  if (state.visit !== null && by === ownIdentity(state)) return 'by you';
  const isKnown = state.known.some(({ identity }) => identity === by);
  return `by ${isKnown ? participantName(by, state.known) : quoted(shownName(name ?? by))}`;
}

/** The text on who releases the stop of a robot that runs elsewhere, and how. Such a robot may have no page. */
const RELEASED_ELSEWHERE = {
  simulator: 'a person at the robot’s page or its worker’s machine releases the stop',
  worker:
    'a person releases the stop at the robot’s page. If it has no page, stop its worker, and run this at the worker’s machine: npm run worker -- --release-emergency-stop',
} as const;

/**
 * Releases after a second press, on a different button than the first and not by a double click. The focus moves to the safe
 * choice.
 */
function LatchedNotice() {
  const engine = useEngine();
  const { stopped, released } = useContract().emergency;
  const why = useViewer(whoAndWhy);
  const [asking, setAsking] = useState(false);
  const [releasable, setReleasable] = useState(false);
  /** Whether this is the robot's own page: only a person there can release the stop. */
  const isHere = useViewer(({ visit }) => visit === null);
  const profile = useViewer((state) => state.profile);
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
          ? `After that the robot accepts commands again. Releasing moves nothing${released}.`
          : `${why}The robot brakes, ${stopped}, and it accepts no command until ${isHere ? 'the stop is released' : RELEASED_ELSEWHERE[profile]}.`}
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
        isHere && (
          <button type="button" className="button" ref={ask} onClick={() => setAsking(true)}>
            Release…
          </button>
        )
      )}
    </div>
  );
}

const PLACE_TEXTS: Readonly<Record<ReleasePlace, string>> = {
  robot_page: 'at the robot’s page',
  worker_machine: 'at its worker’s machine',
};

/**
 * Reports a release for a while, to screen readers too. The notice of the stop has disappeared by then, and the robot accepts
 * commands.
 */
function ReleasedNotice() {
  // Before the first state, and while the robot is out of reach, the state is unknown.
  const isLatched = useViewer((state) => (state.runtime ? emergencyOf(state) !== null : null));
  const text = useViewer(releasedText);
  const wasLatched = useRef(false);
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    if (isLatched === null) return;
    setShown(wasLatched.current && !isLatched);
    wasLatched.current = isLatched;
  }, [isLatched]);
  useEffect(() => {
    if (!isShown) return;
    const end = setTimeout(() => setShown(false), RELEASED_FOR_MS);
    return () => clearTimeout(end);
  }, [isShown]);
  return (
    <div className={isShown ? 'notice' : 'visually-hidden'} data-testid="released">
      <p role="status">{isShown && text}</p>
    </div>
  );
}

function releasedText({ robot, runtime, visit }: Pick<ViewerState, 'robot' | 'runtime' | 'visit'>): string {
  const place = runtime?.robot.extra.emergency_release?.place;
  const where = place === undefined ? '' : ` ${visit === null && place === 'robot_page' ? 'at this page' : PLACE_TEXTS[place]}`;
  return `A person${where} has released the emergency stop of ${quoted(shownName(robot?.name ?? 'Robot'))}. The robot accepts commands again.`;
}
