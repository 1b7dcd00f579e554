import { isRuntimeProfile, type RuntimeProfile } from '../../protocol/profile.ts';

/** The contract that a page is asked to keep by its address. */
export interface Contract {
  profile: RuntimeProfile;
  /** Of the worker profile: are calls that move the body refused unless they are signed? */
  signedControlRequired: boolean;
}

/**
 * Reads `?profile=worker` and, for development, `&signed=off` from a page's address. Anything else is the simulator: a typing error must
 * not take the stop at the end of a drive away.
 */
export function readContract(href: string): Contract {
  const { searchParams } = new URL(href);
  const profile = searchParams.get('profile');
  return {
    profile: isRuntimeProfile(profile) ? profile : 'simulator',
    signedControlRequired: searchParams.get('signed') !== 'off',
  };
}
