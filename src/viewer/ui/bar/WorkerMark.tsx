import { Cpu } from 'lucide-react';
import { useIsWorker } from '../common/worker.ts';

/** Says which contract this is, where the robot's name stands. */
export function WorkerMark() {
  if (!useIsWorker()) return null;
  return (
    <p
      className="worker-mark"
      title="This robot keeps the physical robot’s contract: velocities hold until they are stopped, arms go limp without poses, and what moves the body has to be signed."
    >
      <Cpu size={14} aria-hidden />
      <span>Physical contract</span>
    </p>
  );
}
