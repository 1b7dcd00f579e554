import { TriangleAlert } from 'lucide-react';
import { useStore } from 'zustand';
import { controlOf } from '../common/contract.ts';
import { useViewer } from '../common/engine-context.ts';
import { withoutLeaseText } from '../common/lease.ts';
import { useHeldBack } from '../drive/measured-speed.ts';
import type { Cockpit } from './cockpit-controller.ts';

interface CockpitNoticeProps {
  cockpit: Cockpit;
  padName: string | null;
  touch: boolean;
}

/** One line: why the robot stands still, what it waits for, or what the person's input does. */
export function CockpitNotice({ cockpit, padName, touch }: CockpitNoticeProps) {
  const { arms, notice, wanted, lettingGo } = useStore(cockpit.view);
  const limp = useViewer((state) => controlOf(state)?.upper_body.mode === 'damp');
  const leased = useViewer(withoutLeaseText);
  const heldBack = useHeldBack(wanted);
  const latched = useViewer((state) => controlOf(state)?.emergency_stop ?? false);
  const isHere = useViewer(({ visit }) => visit === null);
  const text = latched
    ? `The emergency stop is latched. ${isHere ? 'Release it at the top of the page to continue.' : 'A person at the robot’s page or its worker’s machine releases it.'}`
    : (leased ??
      notice ??
      (limp
        ? 'The arms are limp. Arm mode catches them; driving or stopping gives them back to the walking controller.'
        : heldBack
          ? 'The robot cannot move: something is in the way.'
          : null));
  return (
    <p className="drive-notice row cockpit-notice" role="status">
      {text ? (
        <>
          <TriangleAlert size={16} aria-hidden className="text-warn" />
          <span>{text}</span>
        </>
      ) : (
        <span className="muted">
          {lettingGo ? 'Waiting for the robot to confirm that it stands.' : hint(arms !== 'off', padName, touch)}
        </span>
      )}
    </p>
  );
}

function hint(inArms: boolean, padName: string | null, touch: boolean): string {
  if (padName)
    return inArms
      ? 'Cross pad: sides choose the joint, up and down nudge it. Right shoulder changes the arm, Y ends arm mode, B stops.'
      : 'Left stick walks, right stick turns, left shoulder slow. Y poses the arms, B stops.';
  if (inArms)
    return touch
      ? 'A pose, or a joint and its angle. Streamed 50 times a second until arm mode ends.'
      : '1–5 pose, R L arm, ← → joint, ↑ ↓ by 0.05 rad. M or Escape ends arm mode.';
  return touch
    ? 'Left thumb walks, right thumb turns. Let go to stop. The page waits for confirmation.'
    : 'Hold W A S D to walk, Q E to turn, Shift for slow. Let go to stop. The page waits for confirmation.';
}
