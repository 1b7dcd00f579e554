import { Camera, Eye, LogOut, Satellite } from 'lucide-react';
import { shownName } from '../../common/shown-text.ts';
import { ContractMark } from '../ui/bar/ContractMark.tsx';
import { EmergencyStop } from '../ui/bar/EmergencyStop.tsx';
import { PanelToggle } from '../ui/bar/PanelToggle.tsx';
import { PeopleButton } from '../ui/bar/PeopleButton.tsx';
import { useEngine, useViewer } from '../ui/common/engine-context.ts';
import { mayAct } from '../ui/common/may-act.ts';
import { stateTone } from '../ui/common/motion.ts';
import { useUi, useUiStore } from '../ui/common/ui-store.ts';
import { DriveSwitch } from '../ui/drive/DriveSwitch.tsx';
import { DriveAlone } from './drive-parts.tsx';
import { FreshnessChip } from './FreshnessChip.tsx';
import { seenTone } from './visit-texts.ts';

interface VisitorBarProps {
  panelOpen: boolean;
  onPanelOpen: (open: boolean) => void;
}

/** One line: the robot's name, a mark that this page only watches it, the robot's activity, and the age of the shown state. */
export function VisitorBar({ panelOpen, onPanelOpen }: VisitorBarProps) {
  const engine = useEngine();
  const name = useViewer((state) => (state.robot ? shownName(state.robot.name) : 'Robot'));
  const ended = useViewer((state) => state.phase === 'ended');
  const acts = useViewer(mayAct);
  const ui = useUiStore();
  const camerasOpen = useUi((state) => state.camerasOpen);
  const leave = acts ? 'Leave the robot' : 'Stop watching';
  return (
    <div className="top-bar row">
      <h1 className="robot-name cut" title={name}>
        {name}
      </h1>
      {acts ? <OperatorMark /> : <WatchMark />}
      <ContractMark />
      <StatePill />
      {acts && <EmergencyStop />}
      <span className="top-bar-space" />
      <FreshnessChip />
      {acts && !ended && (
        <>
          <DriveSwitch />
          <DriveAlone />
          <PeopleButton />
          <button
            type="button"
            className="icon-button cameras-toggle"
            aria-label="Robot’s cameras"
            title="Pictures of the robot’s cameras; each one is a call to the robot"
            aria-pressed={camerasOpen}
            onClick={() => ui.setState({ camerasOpen: !camerasOpen })}
          >
            <Camera size={18} aria-hidden />
          </button>
        </>
      )}
      {!ended && (
        <button
          type="button"
          className="icon-button"
          aria-label={leave}
          title={`${leave}: this tab leaves the room and forgets its link`}
          onClick={() => engine.disconnect()}
        >
          <LogOut size={18} aria-hidden />
        </button>
      )}
      <PanelToggle open={panelOpen} onOpen={onPanelOpen} />
    </div>
  );
}

/** Distinguishes this page from the robot's own. */
function OperatorMark() {
  return (
    <p
      className="rcw-mark row-inline gap-1 muted"
      title="You operate this robot from a distance: it lives elsewhere, and every command goes over the room."
    >
      <Satellite size={14} aria-hidden />
      <span>At a distance</span>
    </p>
  );
}

/** Shows that this page only watches. */
function WatchMark() {
  return (
    <p
      className="rcw-mark row-inline gap-1 muted"
      title="You are watching a robot that runs elsewhere. You cannot control it from here."
    >
      <Eye size={14} aria-hidden />
      <span>Watching</span>
    </p>
  );
}

/** The robot's activity: from its replies for pages that may call it, otherwise from its stream. */
function StatePill() {
  const tone = useViewer((state) => (mayAct(state) ? stateTone(state) : seenTone(state.visit?.status ?? null)));
  const text = useViewer(({ phase, statusText }) =>
    phase === 'loading' ? 'Joining' : phase === 'ended' ? 'Not in the room' : statusText || 'Not seen',
  );
  return (
    <p className={`pill row tone-${tone}`} data-testid="state" title={text}>
      <span className="pill-dot" aria-hidden />
      <span className="pill-words">{text}</span>
    </p>
  );
}
