import { useStore } from 'zustand';
import { decimal } from '../common/format.ts';
import { useUiStore } from '../common/ui-store.ts';
import { DriveGauges } from '../drive/DriveGauges.tsx';
import { PadChip } from '../drive/DrivePanel.tsx';
import type { PadView } from '../drive/use-drive-pad.ts';
import type { Cockpit } from './cockpit-controller.ts';

interface DriveControlsProps {
  cockpit: Cockpit;
  pad: PadView;
}

/** Hold to drive: the speed that full deflection means, asked for beside measured. */
export function DriveControls({ cockpit, pad }: DriveControlsProps) {
  const ui = useUiStore();
  const { wanted, limits, speedShare } = useStore(cockpit.view);
  const setSpeed = (share: number) => {
    cockpit.setSpeed(share);
    ui.setState({ driveSpeed: share });
  };
  return (
    <div className="cockpit-drive">
      <label className="drive-speed">
        <span>Speed</span>
        <input
          type="range"
          className="slider"
          min={10}
          max={100}
          step={5}
          value={Math.round(speedShare * 100)}
          aria-valuetext={`up to ${decimal(speedShare * limits.linearMps, 2)} metres a second`}
          onChange={(event) => setSpeed(Number(event.currentTarget.value) / 100)}
        />
        <span className="drive-figure">{decimal(speedShare * limits.linearMps, 2)} m/s</span>
      </label>
      <DriveGauges wanted={wanted} />
      <PadChip name={pad.name} unknownName={pad.unknownName} />
    </div>
  );
}
