import { isRuntimeProfile, type RuntimeProfile } from '../../protocol/profile.ts';

/** Which contract a robot keeps, and how strictly. */
export interface ChosenContract {
  profile: RuntimeProfile;
  /** For the `rcw` profile: whether calls that move the body are refused unless they are signed. */
  signedControlRequired: boolean;
}

/** The contract that a page's address asks for. */
export type AskedContract = Omit<ChosenContract, 'profile'> & {
  /** Null when the address does not say. Then a key's identity decides, and a robot without a room is the simulator. */
  profile: RuntimeProfile | null;
};

/**
 * Reads `?profile=worker` and, for development, `&signed=off` from a page's address. An unknown profile is ignored: a typing
 * error must not remove the stop at the end of a drive.
 */
export function readContract(href: string): AskedContract {
  const { searchParams } = new URL(href);
  const profile = searchParams.get('profile');
  return {
    profile: isRuntimeProfile(profile) ? profile : null,
    signedControlRequired: searchParams.get('signed') !== 'off',
  };
}
