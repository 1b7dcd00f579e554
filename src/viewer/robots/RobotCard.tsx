import { memo } from 'react';
import type { Robot } from '../../protocol/service/control-service.ts';
import type { SessionState } from '../../protocol/service/session-state.ts';
import { RobotPlan } from './plan/RobotPlan.tsx';
import { RobotActions } from './RobotActions.tsx';
import { driverText, heldText, lastActionText, nameText, robotStatus, roomText } from './robot-texts.ts';
import type { SeenPlace } from './seen-places.ts';

interface RobotCardProps {
  robot: Robot;
  /** Null: it has no session; undefined: its state is unknown. */
  session: SessionState | null | undefined;
  seen: SeenPlace | undefined;
  nowMs: number;
  onRename: (robot: Robot) => void;
  onDelete: (robot: Robot) => void;
  onLinks: (robot: Robot) => void;
}

export const RobotCard = memo(function RobotCard({ robot, session, seen, nowMs, onRename, onDelete, onLinks }: RobotCardProps) {
  const { tone, word, detail } = robotStatus(session);
  const name = nameText(robot);
  return (
    <li className="robot-card" aria-labelledby={`robot-${robot.id}`}>
      <div className="robot-head">
        <div className="robot-names">
          <h2 id={`robot-${robot.id}`} title={name}>
            {name}
          </h2>
          <p className="muted" title={robot.model}>
            {robot.model}
            {robot.type === 'physical' ? ', physical' : ''}
          </p>
        </div>
        <p className={`status row muted status-${tone}`}>{word}</p>
      </div>
      <div className="robot-body">
        <RobotPlan name={name} session={session} seen={seen} tone={tone} />
        <div className="robot-told">
          <p className="robot-detail">{detail}</p>
          <Facts session={session} nowMs={nowMs} />
        </div>
      </div>
      <RobotActions {...{ robot, session, onRename, onDelete, onLinks }} />
    </li>
  );
});

function Facts({ session, nowMs }: { session: SessionState | null | undefined; nowMs: number }) {
  const facts: [term: string, text: string | null][] = [
    ['Driven by', driverText(session)],
    ['Holds', heldText(session?.runtime?.state?.held_entity_ids)],
    ['Last action', lastActionText(session, nowMs)],
    ['In its room', roomText(session)],
  ];
  return (
    <dl className="robot-facts stack">
      {facts.map(([term, text]) =>
        text === null ? null : (
          <div key={term}>
            <dt>{term}</dt>
            <dd title={text}>{text}</dd>
          </div>
        ),
      )}
    </dl>
  );
}
