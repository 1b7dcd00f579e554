/** Standard gravity on Earth to two decimals, along -z of the world. */
export const GRAVITY_MPS2 = 9.81;
