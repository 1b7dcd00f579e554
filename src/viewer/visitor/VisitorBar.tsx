import { Eye, LogOut, PanelRight } from 'lucide-react';
import { shownName } from '../../protocol/shown-text.ts';
import { ContractMark } from '../ui/bar/ContractMark.tsx';
import { useEngine, useViewer } from '../ui/common/engine-context.ts';
import { FreshnessChip } from './FreshnessChip.tsx';
import { seenTone } from './visit-words.ts';

interface VisitorBarProps {
  panelOpen: boolean;
  onPanelOpen: (open: boolean) => void;
}

/** One line: the robot's name, that this page only looks at it, what the robot does, and how new that is. */
export function VisitorBar({ panelOpen, onPanelOpen }: VisitorBarProps) {
  const engine = useEngine();
  const name = useViewer((state) => (state.robot ? shownName(state.robot.name) : 'Robot'));
  const ended = useViewer((state) => state.phase === 'ended');
  return (
    <div className="top-bar">
      <h1 className="robot-name" title={name}>
        {name}
      </h1>
      <WatchMark />
      <ContractMark />
      <SeenPill />
      <span className="top-bar-space" />
      <FreshnessChip />
      {!ended && (
        <button
          type="button"
          className="icon-button"
          aria-label="Stop watching"
          title="Stop watching: this tab leaves the room and forgets its link"
          onClick={() => engine.disconnect()}
        >
          <LogOut size={18} aria-hidden />
        </button>
      )}
      <button
        type="button"
        className="icon-button panel-toggle"
        aria-label="Side panel"
        aria-pressed={panelOpen}
        onClick={() => onPanelOpen(!panelOpen)}
      >
        <PanelRight size={18} aria-hidden />
      </button>
    </div>
  );
}

/** Says that this page only watches. */
export function WatchMark() {
  return (
    <p className="rcw-mark" title="You watch this robot. It lives elsewhere, and nothing that you do here moves it.">
      <Eye size={14} aria-hidden />
      <span className="wide-only">Watching</span>
    </p>
  );
}

function SeenPill() {
  const words = useViewer(({ phase, statusText }) =>
    phase === 'loading' ? 'Joining' : phase === 'ended' ? 'Not in the room' : statusText || 'Not seen',
  );
  const tone = useViewer(({ visit }) => seenTone(visit?.status ?? null));
  return (
    <p className={`pill tone-${tone}`} data-testid="state" title={words}>
      <span className="pill-dot" aria-hidden />
      <span className="pill-words">{words}</span>
    </p>
  );
}
