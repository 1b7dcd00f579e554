import { isRuntimeProfile, type RuntimeProfile } from '../../protocol/profile.ts';

/** The contract that a robot keeps. */
export interface Contract {
  profile: RuntimeProfile;
  /** Of the worker profile: are calls that move the body refused unless they are signed? */
  signedControlRequired: boolean;
}

/** What a page's address asks for. */
export type AskedContract = Omit<Contract, 'profile'> & {
  /** Null when the address does not say: then a key's identity does, and a robot without a room is the simulator. */
  profile: RuntimeProfile | null;
};

/**
 * Reads `?profile=worker` and, for development, `&signed=off` from a page's address. A profile that there is none of counts as not said:
 * a typing error must not take the stop at the end of a drive away.
 */
export function readContract(href: string): AskedContract {
  const { searchParams } = new URL(href);
  const profile = searchParams.get('profile');
  return {
    profile: isRuntimeProfile(profile) ? profile : null,
    signedControlRequired: searchParams.get('signed') !== 'off',
  };
}
