import { Users } from 'lucide-react';
import { Popover } from 'radix-ui';
import { useViewer } from '../common/engine-context.ts';
import { timeOfDay } from '../common/format.ts';

/** Who is in the room. */
export function PeopleButton() {
  const participants = useViewer((state) => state.participants);
  const live = useViewer((state) => state.phase === 'live' && !state.local);
  const label = `In the room: ${participants.length}`;
  if (!live) return null;
  return (
    <Popover.Root>
      <Popover.Trigger className="chip chip-button" aria-label={label} title={label}>
        <Users size={16} aria-hidden />
        {participants.length}
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content className="popover" align="end" sideOffset={8} collisionPadding={8} aria-label="In the room">
          <h2 className="section-title">In the room</h2>
          {participants.length === 0 && <p className="muted">Nobody is in the room.</p>}
          <ul className="people">
            {participants.map(({ identity, name, joinedAtMs, isSelf }) => (
              <li key={identity}>
                <span className="person-name" title={identity}>
                  {name}
                </span>
                <span className="muted">{isSelf ? 'this tab' : `since ${timeOfDay(joinedAtMs)}`}</span>
              </li>
            ))}
          </ul>
          {participants.length === 1 && <p className="muted">No client has joined yet.</p>}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
