import { Cpu } from 'lucide-react';
import { useContract } from '../common/contract.ts';

/** Shows the contract beside the robot's name, if it is not the simulator's. */
export function ContractMark() {
  const { mark } = useContract();
  if (mark === null) return null;
  return (
    <p className="rcw-mark row-inline gap-1 muted" title={mark.title}>
      <Cpu size={14} aria-hidden />
      <span>{mark.text}</span>
    </p>
  );
}
