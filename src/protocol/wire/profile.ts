/**
 * The contract that a runtime keeps: the simulator's, or that of the physical robot's control worker, over the same simulated
 * body.
 */
export const RUNTIME_PROFILES = ['simulator', 'worker'] as const;
export type RuntimeProfile = (typeof RUNTIME_PROFILES)[number];

/** Returns whether this is the name of a profile. */
export const isRuntimeProfile = (name: unknown): name is RuntimeProfile => RUNTIME_PROFILES.some((profile) => profile === name);

/** Returns whether this skill of the `rcw` profile only reads. It then needs no signature, and undoes no other call. */
export const onlyReads = (skill: string): boolean => skill === 'get_state';
