import type { ScenePlace } from '../../../protocol/wire/place.ts';
import { EMPTY_OVERLAY, type Overlay, type RenderState } from '../../../protocol/wire/render-state.ts';
import { blend } from '../visitor/blend.ts';
import type { FilmFrame } from './replay-messages.ts';

/** The pictures of a run, as far as it has been replayed. */
export interface Film {
  add(frames: readonly FilmFrame[]): void;
  addPlace(fromStep: number, place: ScenePlace): void;
  /** The step of the newest picture; 0 before the first. */
  lastStep(): number;
  /** Returns the world at a step, which may be fractional; the same object for the same moment. Null before the first picture. */
  stateAt(step: number): RenderState | null;
  overlayAt(step: number): Overlay;
  placeAt(step: number): ScenePlace | null;
}

export function createFilm(): Film {
  const frames: FilmFrame[] = [];
  const places: { fromStep: number; place: ScenePlace }[] = [];
  let shown: { step: number; count: number; state: RenderState } | null = null;

  /** Index of the last picture at or before a step; 0 before the first. */
  function indexAt(step: number): number {
    let [low, high] = [0, frames.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((frames[middle]?.step ?? 0) <= step) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  const placeAt = (step: number): ScenePlace | null =>
    (places.findLast(({ fromStep }) => fromStep <= step) ?? places[0])?.place ?? null;

  return {
    add: (more) => void frames.push(...more),
    addPlace: (fromStep, place) => void places.push({ fromStep, place }),
    lastStep: () => frames.at(-1)?.step ?? 0,
    stateAt(step) {
      if (shown && shown.step === step && shown.count === frames.length) return shown.state;
      const at = indexAt(step);
      const [earlier, later] = [frames[at], frames[at + 1]];
      if (!earlier) return null;
      // Pictures from two different places are not blended.
      const isBetween = later !== undefined && step > earlier.step && placeAt(earlier.step) === placeAt(later.step);
      const state = isBetween
        ? blend(earlier.state, later.state, (step - earlier.step) / (later.step - earlier.step))
        : earlier.state;
      shown = { step, count: frames.length, state };
      return state;
    },
    overlayAt: (step) => frames[indexAt(step)]?.overlay ?? EMPTY_OVERLAY,
    placeAt,
  };
}
