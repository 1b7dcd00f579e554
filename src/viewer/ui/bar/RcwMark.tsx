import { Cpu } from 'lucide-react';
import { useIsRcw } from '../common/rcw.ts';

/** Shows the contract beside the robot's name. */
export function RcwMark() {
  if (!useIsRcw()) return null;
  return (
    <p
      className="rcw-mark"
      title="This robot follows the physical robot’s contract: velocities hold until they are stopped, arms go limp without poses, and calls that move the body have to be signed."
    >
      <Cpu size={14} aria-hidden />
      <span>Physical contract</span>
    </p>
  );
}
