import { ShipWheel, Users } from 'lucide-react';
import { Popover } from 'radix-ui';
import { useMemo } from 'react';
import { shownId, shownName } from '../../../common/shown-text.ts';
import { isPageAgent } from '../../../protocol/wire/driver.ts';
import { profileOfIdentity } from '../../../protocol/wire/identity.ts';
import { useBelowBar } from '../common/below-bar.ts';
import { useViewer } from '../common/engine-context.ts';
import { duration, timeOfDay } from '../common/format.ts';
import { useNow } from '../common/hooks.ts';
import { leaseOf, ownIdentity } from '../common/lease.ts';
import { OUTCOME_TEXTS, outcomeOfAction } from '../common/outcomes.ts';
import { type Person, type Presence, peopleOf, type RunningCaller, runningCallerOf } from '../common/people.ts';
import { useRobotWords } from '../common/robot-words.ts';
import { actionTitle } from '../common/texts.ts';

/** The people in the room, who is moving the robot, and the last action of each. */
export function PeopleButton() {
  const participants = useViewer((state) => state.participants);
  const actions = useViewer((state) => state.actions);
  const known = useViewer((state) => state.known);
  const live = useViewer((state) => state.phase === 'live' && !state.local);
  const running = useMemo(() => runningCallerOf(actions, known), [actions, known]);
  const leased = useViewer((state) => {
    const lease = leaseOf(state);
    return lease ? (lease.identity === ownIdentity(state) ? 'You drive' : `${shownName(lease.name)} drives`) : null;
  });
  const { button, sideOffset, onOpenChange } = useBelowBar();
  if (!live) return null;
  const drives = leased ?? (running && `${running.name} drives`);
  const label = [`In the room: ${participants.length}`, drives].filter(Boolean).join('. ');
  return (
    <Popover.Root onOpenChange={onOpenChange}>
      <Popover.Trigger
        ref={button}
        className="chip chip-button people-button"
        data-driven={drives !== null}
        aria-label={label}
        title={label}
      >
        <Users size={16} aria-hidden />
        {participants.length}
        {drives && <span className="wide-only driver-words cut">{drives}</span>}
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          className="popover people-popover"
          align="end"
          sideOffset={sideOffset}
          collisionPadding={8}
          aria-label="In the room"
        >
          <People running={running} />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

function People({ running }: { running: RunningCaller | null }) {
  const participants = useViewer((state) => state.participants);
  const actions = useViewer((state) => state.actions);
  const known = useViewer((state) => state.known);
  const people = useMemo(() => peopleOf(actions, known), [actions, known]);
  return (
    <>
      <h2 className="section-title">In the room</h2>
      {running ? <RunningLine running={running} /> : <p className="driver-line muted">No one moves the robot.</p>}
      <ul className="people stack">
        {people.map((person) => (
          <PersonRow key={person.id} person={person} />
        ))}
      </ul>
      {participants.length === 0 && <p className="muted">The room is empty.</p>}
      {participants.length === 1 && <p className="muted">No client is in the room now.</p>}
    </>
  );
}

function RunningLine({ running: { name, action } }: { running: RunningCaller }) {
  const robot = useRobotWords();
  const nowMs = useNow(500);
  return (
    <p className="driver-line">
      <span className="driver-dot" aria-hidden />
      <span>
        <strong>{name}</strong> has the robot moving for {duration(nowMs - action.startedAtMs)}: {actionTitle(action, robot)}
      </span>
    </p>
  );
}

/** For people whose time in the room is unknown. */
const PRESENCE_TEXTS: Record<Presence, string> = {
  here: 'in the room',
  left: 'has left',
  calling: 'is calling',
  called: 'has called',
  signed: 'signs its calls',
  robot: 'part of the robot',
};

function PersonRow({ person: { id, name, joinedAtMs, presence, last } }: { person: Person }) {
  const robot = useRobotWords();
  const drives = useViewer((state) => {
    const lease = leaseOf(state);
    // The person at the robot's page drives under the robot's name.
    return Boolean(
      lease && (lease.identity === null ? !isPageAgent(lease) && profileOfIdentity(id) !== null : lease.identity === id),
    );
  });
  return (
    <li>
      <span className="cut" title={shownId(id)}>
        {name}
      </span>
      {drives && (
        <span className="person-drives row-inline gap-1">
          <ShipWheel size={14} aria-hidden /> drives alone
        </span>
      )}
      <span className="muted">{joinedAtMs === null ? PRESENCE_TEXTS[presence] : `since ${timeOfDay(joinedAtMs)}`}</span>
      <span className="person-last">{last ? `${actionTitle(last, robot)} · ${lastText(last)}` : 'Has called nothing yet'}</span>
    </li>
  );
}

const lastText = (last: NonNullable<Person['last']>): string =>
  `${OUTCOME_TEXTS[outcomeOfAction(last)].toLowerCase()}, ${timeOfDay(last.startedAtMs)}`;
