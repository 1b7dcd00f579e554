import { ChevronDown, ChevronLeft, ChevronRight, ChevronUp } from 'lucide-react';
import { useStore } from 'zustand';
import { decimal } from '../common/format.ts';
import { PadChip } from '../drive/DrivePanel.tsx';
import type { PadView } from '../drive/use-drive-pad.ts';
import { ARM_SIDES, ARM_TEXTS, JOINT_TEXTS, NUDGE_RAD } from './arm-pose.ts';
import type { Cockpit } from './cockpit-controller.ts';
import { PRESETS } from './presets.ts';

/** Presets, the chosen arm and joint, and the nudge. */
export function ArmControls({ cockpit, pad }: { cockpit: Cockpit; pad: PadView }) {
  const { arms, preset, chosen, target } = useStore(cockpit.view);
  const off = arms !== 'on';
  const rad = target?.[chosen.side][chosen.joint];
  return (
    <div className="cockpit-arms">
      <fieldset className="presets" aria-label="Poses" disabled={off}>
        {PRESETS.map((name, index) => (
          <button
            key={name}
            type="button"
            className="button preset"
            aria-pressed={preset === name}
            aria-keyshortcuts={String(index + 1)}
            onClick={() => cockpit.choosePreset(name)}
          >
            <kbd className="wide-only">{index + 1}</kbd>
            {name}
          </button>
        ))}
      </fieldset>
      <div className="joint-choice cluster">
        <fieldset className="cockpit-modes row-inline gap-1 muted" aria-label="Arm">
          {ARM_SIDES.map((side) => (
            <button
              key={side}
              type="button"
              className="cockpit-mode"
              aria-pressed={chosen.side === side}
              aria-label={ARM_TEXTS[side]}
              aria-keyshortcuts={side === 'r_arm' ? 'R' : 'L'}
              onClick={() => cockpit.chooseArm(side)}
            >
              {side === 'r_arm' ? 'Right' : 'Left'}
            </button>
          ))}
        </fieldset>
        <span className="row-inline gap-1">
          <button
            type="button"
            className="icon-button icon-button-small"
            aria-label="Joint before"
            onClick={() => cockpit.cycleJoint(-1)}
          >
            <ChevronLeft size={16} aria-hidden />
          </button>
          <output className="joint-chosen" aria-label="Chosen joint">
            {JOINT_TEXTS[chosen.joint]}
          </output>
          <button
            type="button"
            className="icon-button icon-button-small"
            aria-label="Next joint"
            onClick={() => cockpit.cycleJoint(1)}
          >
            <ChevronRight size={16} aria-hidden />
          </button>
        </span>
        <fieldset className="joint-nudge row-inline gap-1" aria-label="Nudge" disabled={off}>
          <button
            type="button"
            className="icon-button icon-button-small"
            aria-label={`Less by ${NUDGE_RAD} rad`}
            onClick={() => cockpit.nudge(-1)}
          >
            <ChevronDown size={16} aria-hidden />
          </button>
          <span className="joint-angle">{rad === undefined ? '–' : decimal(rad, 2)} rad</span>
          <button
            type="button"
            className="icon-button icon-button-small"
            aria-label={`More by ${NUDGE_RAD} rad`}
            onClick={() => cockpit.nudge(1)}
          >
            <ChevronUp size={16} aria-hidden />
          </button>
        </fieldset>
      </div>
      <PadChip name={pad.name} unknownName={pad.unknownName} />
    </div>
  );
}
