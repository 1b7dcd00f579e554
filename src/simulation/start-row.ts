import { THING_COLOURS, type ThingColour } from '../protocol/wire/scene.ts';
import { createRandom, nextInt } from './random.ts';

/** The seed of the row that the scene names: the one that every page starts with. */
export const OWN_ROW_SEED = 1;
/** Mixed into the seed: otherwise the row would equal the cubes that come after it, which are drawn from the seed itself. */
const ROW_STREAM = 0x2545f491;

/** Returns the colours of the row that a seed starts with: for one seed the scene's own, for every other seed another row, drawn by chance. */
export function startRow(own: readonly ThingColour[], seed: number): readonly ThingColour[] {
  // There is no other row of no cubes.
  if (seed >>> 0 === OWN_ROW_SEED || own.length === 0) return own;
  const random = createRandom(seed ^ ROW_STREAM);
  for (;;) {
    const row = own.map(() => THING_COLOURS[nextInt(random, THING_COLOURS.length)] ?? 'red');
    if (row.some((colour, place) => colour !== own[place])) return row;
  }
}
