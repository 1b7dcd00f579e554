import { Gamepad2 } from 'lucide-react';
import { useEffect } from 'react';
import { useContract } from '../common/contract.ts';
import { OVERLAID, TAKES_TEXT, within } from '../common/elsewhere.ts';
import { useViewer } from '../common/engine-context.ts';
import { useUi, useUiStore } from '../common/ui-store.ts';

/** Starts and ends manual control; the key G does the same. */
export function DriveSwitch() {
  const ui = useUiStore();
  const driving = useUi((state) => state.driving);
  const isCockpit = useContract().controls === 'cockpit';
  const live = useViewer((state) => state.phase === 'live');

  useEffect(() => {
    if (!live) ui.setState({ driving: false });
  }, [live, ui]);

  useEffect(() => {
    if (!live) return;
    const onKey = (event: KeyboardEvent) => {
      if (event.code !== 'KeyG' || event.repeat || event.ctrlKey || event.metaKey || event.altKey) return;
      if (within(event.target, TAKES_TEXT) || within(event.target, OVERLAID)) return;
      event.preventDefault();
      ui.setState(({ driving }) => ({ driving: !driving }));
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [live, ui]);

  if (!live) return null;
  return (
    <button
      type="button"
      className="chip chip-button drive-switch"
      aria-pressed={driving}
      aria-keyshortcuts="G"
      aria-label={isCockpit ? 'Cockpit' : 'Drive by hand'}
      title={isCockpit ? 'Drive the robot and pose its arms by hand (G)' : 'Drive the robot by keyboard, gamepad or touch (G)'}
      onClick={() => ui.setState({ driving: !driving })}
    >
      <Gamepad2 size={18} aria-hidden />
      <span className="wide-only">{isCockpit ? 'Cockpit' : 'Drive'}</span>
    </button>
  );
}
