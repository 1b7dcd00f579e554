import { editDistance } from '../runtime/nearest-names.ts';

/** Two letters that are wrong, missing or too many are a slip. */
const SLIP_MAX = 2;
const ASKED_MAX_LENGTH = 64;

/** Returns the question whether the nearest of these names was meant, with a space before it; an empty text if none is near. */
export function didYouMean(asked: string, names: readonly string[]): string {
  const wanted = asked.slice(0, ASKED_MAX_LENGTH).toLowerCase();
  const [nearest] = names
    .map((name) => ({ name, distance: editDistance(wanted, name.toLowerCase()) }))
    .filter(({ distance }) => distance <= SLIP_MAX)
    .sort((one, other) => one.distance - other.distance);
  return nearest ? ` Did you mean ${nearest.name}?` : '';
}
