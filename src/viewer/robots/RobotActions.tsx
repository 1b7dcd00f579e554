import { Copy, ExternalLink, Eye, Gamepad2, Link, OctagonAlert, Pencil, ShipWheel, Trash2 } from 'lucide-react';
import type { Robot } from '../../protocol/service/control-service.ts';
import type { SessionState } from '../../protocol/service/session-state.ts';
import { useToast } from '../ui/common/Toasts.tsx';
import { CardMenu } from './CardMenu.tsx';
import type { LinkKind } from './link-texts.ts';
import { copyLater } from './open-tab.ts';
import { nameText } from './robot-texts.ts';
import { ServiceText } from './ServiceText.tsx';
import { type Links, useLinks } from './use-links.ts';
import { useOwnerHands } from './use-owner-hands.ts';

const LINKS: Record<LinkKind, { word: string; busyWord: string; title: string }> = {
  open: { word: 'Open', busyWord: 'Opening …', title: 'Opens in another tab, which becomes the robot' },
  drive: { word: 'Drive', busyWord: 'Making …', title: 'Opens another tab, from which you can call and drive it remotely' },
  watch: {
    word: 'Watch',
    busyWord: 'Making …',
    title: 'Opens a page in another tab that shows its world live, and can do nothing',
  },
};
const RUNS_ALREADY = 'Already running: the new page asks before it takes over';
const NOBODY_DRIVES = 'No one has taken it: every participant in the room may command it';
const NO_ROOM = 'It has no session yet: the first button opens one';

interface RobotActionsProps {
  robot: Robot;
  session: SessionState | null | undefined;
  onRename: (robot: Robot) => void;
  onDelete: (robot: Robot) => void;
  onLinks: (robot: Robot) => void;
}

/** The actions of a robot: a primary button, the links to drive and to watch, and the others in a menu. */
export function RobotActions({ robot, session, onRename, onDelete, onLinks }: RobotActionsProps) {
  const isPhysical = robot.type === 'physical';
  const isOpen = session?.phase === 'open';
  // A worker already is the robot, and no page takes its place.
  const hasPage = !isPhysical && session?.runtime?.is_agent !== true;
  const links = useLinks(robot, isPhysical && session === null);
  const hands = useOwnerHands(robot);
  // The stop is available even when the robot's state is unknown.
  const canStop = session === undefined || (session?.runtime != null && session.runtime.state?.is_stopped !== true);
  const canDrive = isOpen || isPhysical || session === undefined;
  const canWatch = isOpen || session === undefined;
  const button = (kind: LinkKind, isMain: boolean, isPossible: boolean, title?: string) => (
    <LinkButton robot={robot} links={links} kind={kind} isMain={isMain} isPossible={isPossible} title={title} />
  );
  return (
    <div className="robot-foot">
      <span className="cluster">
        {hasPage ? button('open', true, true, session?.runtime ? RUNS_ALREADY : undefined) : null}
        {button('drive', !hasPage, canDrive)}
        {button('watch', false, canWatch)}
      </span>
      <span className="robot-hands">
        {canStop ? <StopButton name={nameText(robot)} onPress={hands.stop} /> : null}
        <RobotMenu
          {...{ robot, links, hasPage, canDrive, canWatch, onRename, onDelete, onLinks }}
          putDriverOut={session?.runtime?.state?.driver ? hands.putDriverOut : null}
        />
      </span>
      <NoticeOf links={links} />
    </div>
  );
}

interface LinkButtonProps {
  robot: Robot;
  links: Links;
  kind: LinkKind;
  isMain: boolean;
  isPossible: boolean;
  title: string | undefined;
}

function LinkButton({ robot, links, kind, isMain, isPossible, title }: LinkButtonProps) {
  const { word, busyWord, title: what } = LINKS[kind];
  const isBusy = links.busy === kind;
  const shown = isBusy ? busyWord : word;
  return (
    <button
      type="button"
      className={isMain ? 'button button-main' : 'button'}
      aria-busy={isBusy}
      aria-label={`${shown} ${nameText(robot)}`}
      title={isPossible ? (title ?? what) : NO_ROOM}
      disabled={!isPossible}
      onClick={() => links.open(kind)}
    >
      {isMain ? kind === 'open' ? <ExternalLink size={16} aria-hidden /> : <Gamepad2 size={16} aria-hidden /> : null}
      {shown}
    </button>
  );
}

/** Stops at the first press, because an emergency leaves no time for a question. */
function StopButton({ name, onPress }: { name: string; onPress: () => void }) {
  return (
    <button
      type="button"
      className="icon-button robot-stop"
      aria-label={`Emergency stop of ${name}`}
      title="Emergency stop"
      onClick={onPress}
    >
      <OctagonAlert size={18} aria-hidden />
    </button>
  );
}

/** Screen readers announce it too. The link itself is held only by the button's function. */
function NoticeOf({ links: { notice } }: { links: Links }) {
  return (
    <div className="robot-notice" role="status">
      {notice === null ? null : (
        <p className={notice.isProblem ? 'problem' : 'key-notice'}>
          <ServiceText text={notice.text} />{' '}
          {notice.openNow === null ? null : (
            <button type="button" className="button" onClick={notice.openNow}>
              Open it now
            </button>
          )}
        </p>
      )}
    </div>
  );
}

interface RobotMenuProps extends Pick<RobotActionsProps, 'robot' | 'onRename' | 'onDelete' | 'onLinks'> {
  links: Links;
  /** Whether a page may be the robot. */
  hasPage: boolean;
  canDrive: boolean;
  canWatch: boolean;
  /** Null while no one drives the robot. */
  putDriverOut: (() => void) | null;
}

function RobotMenu({ robot, links, hasPage, canDrive, canWatch, putDriverOut, onRename, onDelete, onLinks }: RobotMenuProps) {
  const toast = useToast();
  const name = nameText(robot);
  const copyId = () => {
    copyLater(navigator.clipboard, Promise.resolve(robot.id)).then(
      () => toast('The id is copied', `Programs know ${name} by ${robot.id}.`),
      () => toast('Nothing was copied', `The browser does not let this page write to the clipboard. The id is ${robot.id}.`),
    );
  };
  const off = (isPossible: boolean) => (isPossible ? undefined : NO_ROOM);
  return (
    <CardMenu
      label={`More for ${name}`}
      groups={() => [
        [
          {
            text: 'Copy link to drive',
            mark: <Gamepad2 size={14} />,
            offText: off(canDrive),
            onSelect: () => links.copy('drive'),
          },
          { text: 'Copy link to watch', mark: <Eye size={14} />, offText: off(canWatch), onSelect: () => links.copy('watch') },
          ...(hasPage
            ? [{ text: 'Copy link to be the robot', mark: <ExternalLink size={14} />, onSelect: () => links.copy('open') }]
            : []),
          { text: 'Links', mark: <Link size={14} />, offText: off(canWatch), onSelect: () => onLinks(robot) },
        ],
        [
          {
            text: 'Take it from its driver',
            mark: <ShipWheel size={14} />,
            offText: putDriverOut === null ? NOBODY_DRIVES : undefined,
            onSelect: () => putDriverOut?.(),
          },
        ],
        [
          { text: 'Copy id', mark: <Copy size={14} />, onSelect: copyId },
          { text: 'Rename', mark: <Pencil size={14} />, onSelect: () => onRename(robot) },
          {
            text: robot.type === 'virtual' ? 'Delete' : 'Give up',
            mark: <Trash2 size={14} />,
            onSelect: () => onDelete(robot),
          },
        ],
      ]}
    />
  );
}
