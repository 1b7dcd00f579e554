import { Bot, ExternalLink, Pencil, Trash2 } from 'lucide-react';
import { memo, useState } from 'react';
import type { Robot } from '../../protocol/control-service.ts';
import type { SessionState } from '../../protocol/session-state.ts';
import { CopyButton } from '../ui/common/CopyButton.tsx';
import { useAccount, useDesk } from './desk-context.ts';
import { driverWords, lastActionWords, nameWords, robotStatus, roomWords } from './robot-words.ts';
import { roomLink } from './room-link.ts';

interface RobotCardProps {
  robot: Robot;
  /** Null: it has no session; undefined: nobody knows just now. */
  session: SessionState | null | undefined;
  nowMs: number;
  onRename: (robot: Robot) => void;
  onDelete: (robot: Robot) => void;
}

export const RobotCard = memo(function RobotCard({ robot, session, nowMs, onRename, onDelete }: RobotCardProps) {
  const { tone, word, detail } = robotStatus(session);
  const name = nameWords(robot);
  const driver = driverWords(session);
  const last = lastActionWords(session, nowMs);
  const inRoom = roomWords(session);
  return (
    <li className="robot-card" aria-labelledby={`robot-${robot.id}`}>
      <div className="robot-head">
        <span className="robot-mark" aria-hidden>
          <Bot size={20} />
        </span>
        <div className="robot-names">
          <h2 id={`robot-${robot.id}`} title={name}>
            {name}
          </h2>
          <p className="muted" title={robot.model}>
            {robot.model}
            {robot.type === 'physical' ? ', physical' : ''}
          </p>
        </div>
        <p className={`status status-${tone}`}>{word}</p>
      </div>
      <p className="robot-detail">{detail}</p>
      <dl className="robot-facts">
        {driver === null ? null : (
          <div>
            <dt>Driven by</dt>
            <dd title={driver}>{driver}</dd>
          </div>
        )}
        <div>
          <dt>Last action</dt>
          <dd title={last ?? undefined}>{last ?? 'none'}</dd>
        </div>
        {inRoom === null ? null : (
          <div>
            <dt>In its room</dt>
            <dd title={inRoom}>{inRoom}</dd>
          </div>
        )}
      </dl>
      <div className="robot-foot">
        {robot.type === 'virtual' ? <OpenButton robot={robot} isOpen={session?.runtime != null} /> : null}
        <CopyButton label="Copy id" text={() => robot.id} />
        <span className="robot-tools">
          <button
            type="button"
            className="icon-button"
            aria-label={`Rename ${name}`}
            title="Rename"
            onClick={() => onRename(robot)}
          >
            <Pencil size={16} aria-hidden />
          </button>
          <button
            type="button"
            className="icon-button"
            aria-label={robot.type === 'virtual' ? `Delete ${name}` : `Give ${name} up`}
            title={robot.type === 'virtual' ? 'Delete' : 'Give up'}
            onClick={() => onDelete(robot)}
          >
            <Trash2 size={16} aria-hidden />
          </button>
        </span>
      </div>
    </li>
  );
});

/** Opens the robot's page in another tab. Its key is in no link of this page: it is asked for at the press, and goes with the new tab. */
function OpenButton({ robot, isOpen }: { robot: Robot; isOpen: boolean }) {
  const account = useAccount();
  const desk = useDesk();
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const open = async () => {
    if (isBusy) return;
    setBusy(true);
    setProblem(null);
    const result = await account.openRoom(robot.id);
    setBusy(false);
    if (!result.ok) {
      setProblem(result.problem.words);
      return;
    }
    window.open(roomLink(location.origin, robot.model, result.value), '_blank', 'noopener,noreferrer');
    desk.look();
  };
  const words = isBusy ? 'Opening …' : 'Open';
  return (
    <>
      <button
        type="button"
        className="button button-main"
        aria-busy={isBusy}
        aria-label={`${words} ${nameWords(robot)}`}
        title={
          isOpen
            ? 'It runs already: its page asks before it takes the robot over'
            : 'Opens in another tab, which becomes the robot'
        }
        onClick={() => void open()}
      >
        <ExternalLink size={16} aria-hidden />
        {words}
      </button>
      {problem === null ? null : (
        <p className="key-problem robot-problem" role="alert">
          {problem}
        </p>
      )}
    </>
  );
}
