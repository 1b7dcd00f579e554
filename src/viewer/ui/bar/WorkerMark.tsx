import { Cpu } from 'lucide-react';
import { useIsWorker } from '../common/worker.ts';

/** Shows the contract beside the robot's name. */
export function WorkerMark() {
  if (!useIsWorker()) return null;
  return (
    <p
      className="worker-mark"
      title="This robot follows the physical robot’s contract: velocities hold until they are stopped, arms go limp without poses, and calls that move the body have to be signed."
    >
      <Cpu size={14} aria-hidden />
      <span>Physical contract</span>
    </p>
  );
}
