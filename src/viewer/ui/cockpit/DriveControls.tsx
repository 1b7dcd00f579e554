import { useStore } from 'zustand';
import { useUiStore } from '../common/ui-store.ts';
import { DriveGauges } from '../drive/DriveGauges.tsx';
import { PadChip } from '../drive/DrivePanel.tsx';
import { SpeedSlider } from '../drive/SpeedSlider.tsx';
import type { PadView } from '../drive/use-drive-pad.ts';
import type { Cockpit } from './cockpit-controller.ts';

interface DriveControlsProps {
  cockpit: Cockpit;
  pad: PadView;
}

/** Hold to drive: the speed at full deflection, and the requested speed beside the measured one. */
export function DriveControls({ cockpit, pad }: DriveControlsProps) {
  const ui = useUiStore();
  const { wanted, limits, speedShare } = useStore(cockpit.view);
  const setSpeed = (share: number) => {
    cockpit.setSpeed(share);
    ui.setState({ driveSpeed: share });
  };
  return (
    <div className="cockpit-drive">
      <SpeedSlider share={speedShare} fullMps={limits.linearMps} onShare={setSpeed} />
      <DriveGauges wanted={wanted} />
      <PadChip name={pad.name} unknownName={pad.unknownName} />
    </div>
  );
}
