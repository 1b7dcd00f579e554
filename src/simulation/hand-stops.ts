import { STOP_WITHIN_S } from '../protocol/wire/limits.ts';

/** How the hands of every robot stop: palms and fingers alike. */

/** A motion of the hands that is halted comes to rest within this. */
export const HALT_S = 0.28;
/** Hands that open when they are halted have opened within this: the robot stands within `STOP_WITHIN_S` (promise P7). */
export const HALT_OPENED_S = STOP_WITHIN_S - 0.05;
/** The hands stop within this when they have touched: a millimetre or so at closing speed. */
export const FREEZE_S = 0.03;
/** Hands that part by more than this are opening; less is a grip that is kept over a longer way. */
export const OPENING_M = 0.003;
/** Braking hands come to rest at most this far from where they were when they touched. */
export const ABOUT_THERE_M = 0.01;
