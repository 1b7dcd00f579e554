import { useStore } from 'zustand';
import { clamp } from '../../../common/clamp.ts';
import { controlOf } from '../common/contract.ts';
import { useViewer } from '../common/engine-context.ts';
import { decimal } from '../common/format.ts';
import { ARM_SIDES, ARM_TEXTS, type ArmSide, JOINT_TEXTS, POSE_LIMIT_RAD } from './arm-pose.ts';
import type { Cockpit } from './cockpit-controller.ts';

/** Both arms live: the sent and the measured angle of each joint. */
export function JointView({ cockpit }: { cockpit: Cockpit }) {
  const upperBody = useViewer((state) => controlOf(state)?.upper_body ?? null);
  return (
    <div className="joint-view" data-mode={upperBody?.mode ?? 'policy'}>
      {ARM_SIDES.map((side) => (
        <section key={side} aria-label={`Joints of the ${ARM_TEXTS[side].toLowerCase()}`}>
          <p className="joint-heads small muted" aria-hidden>
            <span>{ARM_TEXTS[side]}</span>
            <span>sent</span>
            <span>is</span>
          </p>
          <ul>
            {JOINT_TEXTS.map((name, joint) => (
              <JointRow
                key={name}
                cockpit={cockpit}
                side={side}
                joint={joint}
                sentRad={upperBody?.commanded?.[side][joint] ?? null}
                isRad={upperBody?.measured[side][joint] ?? null}
              />
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

interface JointRowProps {
  cockpit: Cockpit;
  side: ArmSide;
  joint: number;
  /** Radians; null while locomotion controls the arms, or nothing does. */
  sentRad: number | null;
  isRad: number | null;
}

function JointRow({ cockpit, side, joint, sentRad, isRad }: JointRowProps) {
  const chosen = useStore(cockpit.view, (view) => view.chosen.side === side && view.chosen.joint === joint);
  const name = JOINT_TEXTS[joint] ?? '';
  const figure = (rad: number | null): string => (rad === null ? '–' : decimal(rad, 2));
  return (
    <li>
      <button
        type="button"
        className="joint-row list-button"
        aria-pressed={chosen}
        aria-label={`${ARM_TEXTS[side]}, ${name.toLowerCase()}: sent ${sentRad === null ? 'nothing' : `${figure(sentRad)} rad`}, is at ${figure(isRad)} rad`}
        data-testid={`${side}-${joint}`}
        onClick={() => cockpit.chooseJoint({ side, joint })}
      >
        <span className="joint-name">{name}</span>
        <span className="joint-bar" aria-hidden>
          {isRad !== null && <span className="joint-is" style={{ left: placeOf(isRad) }} />}
          {sentRad !== null && <span className="joint-sent" style={{ left: placeOf(sentRad) }} />}
        </span>
        <span className="joint-figure">{figure(sentRad)}</span>
        <span className="joint-figure joint-measured">{figure(isRad)}</span>
      </button>
    </li>
  );
}

/** Slightly more than the cockpit sends, because others may send more, and limp arms may be anywhere. */
const RANGE_RAD = POSE_LIMIT_RAD + 0.3;

/** Returns the position of an angle on its bar; angles beyond the bar are at its end. */
function placeOf(rad: number): string {
  const share = (clamp(rad, -RANGE_RAD, RANGE_RAD) + RANGE_RAD) / (2 * RANGE_RAD);
  return `${(share * 100).toFixed(1)}%`;
}
