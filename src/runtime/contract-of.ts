import type { RuntimeProfile } from '../protocol/wire/profile.ts';
import type { Contract, RuntimeDeps } from './core.ts';
import { createRcwContract } from './rcw/contract.ts';
import { SIMULATOR_CONTRACT } from './simulator-contract.ts';

type RcwDeps = Pick<RuntimeDeps, 'signedControlRequired' | 'takesPosePackets'>;

/** The only place where a contract is chosen by its profile. */
const CONTRACTS: Readonly<Record<RuntimeProfile, (deps: RcwDeps) => Contract>> = {
  simulator: () => SIMULATOR_CONTRACT,
  worker: ({ signedControlRequired = true, takesPosePackets = false }) =>
    createRcwContract(signedControlRequired, takesPosePackets),
};

/** Returns the contract that these inputs ask for, with a state of its own. */
export const contractFor = (deps: Pick<RuntimeDeps, 'profile'> & RcwDeps): Contract =>
  CONTRACTS[deps.profile ?? 'simulator'](deps);
