import { clamp } from '../../../../common/clamp.ts';
import type { StageQuality } from '../../../../stage/types.ts';
import { keptChoice } from '../../common/kept-choice.ts';
import type { QualityChoice } from '../../common/ui-store.ts';
import type { Rendering } from './rendering.ts';

/** One level of a picture's cost, the cheapest first. */
export interface QualityLevel {
  stage: StageQuality;
  shadows: boolean;
  /** Maximum pixels of the canvas per pixel of the page, along each side. */
  pixelRatio: number;
  /** The parts that this level leaves out, in words; empty for the best. */
  lacks: string;
}

const QUALITY_LEVELS: readonly QualityLevel[] = [
  { stage: 'low', shadows: false, pixelRatio: 0.75, lacks: 'plain light, fewer pixels' },
  { stage: 'low', shadows: false, pixelRatio: 1, lacks: 'plain light' },
  { stage: 'high', shadows: false, pixelRatio: 1, lacks: 'no shadows' },
  { stage: 'high', shadows: true, pixelRatio: 1, lacks: 'no finer than the page' },
  { stage: 'high', shadows: true, pixelRatio: 2, lacks: '' },
];

export const BEST_LEVEL = QUALITY_LEVELS.length - 1;
/** For software rendering: no shadows and plain light. The cost of frames determines the number of pixels. */
const SOFTWARE_LEVEL = 1;

export const QUALITY_CHOICES = ['auto', 'high', 'medium', 'low'] as const satisfies readonly QualityChoice[];

export const QUALITY_TEXTS: Record<QualityChoice, string> = { auto: 'Auto', high: 'High', medium: 'Medium', low: 'Low' };

const CHOSEN_LEVEL: Record<Exclude<QualityChoice, 'auto'>, number> = { high: BEST_LEVEL, medium: 2, low: 0 };

/**
 * Returns the level at which to draw.
 * @param learned the level that the frames of a GPU allow, an index of `QUALITY_LEVELS`
 */
export function levelFor(choice: QualityChoice, rendering: Rendering, learned: number): number {
  if (choice !== 'auto') return CHOSEN_LEVEL[choice];
  return rendering === 'hardware' ? learned : SOFTWARE_LEVEL;
}

export const levelAt = (index: number): QualityLevel => {
  const level = QUALITY_LEVELS[clamp(index, 0, BEST_LEVEL)];
  if (!level) throw new RangeError(`There is no quality level ${index}.`);
  return level;
};

/** Describes the picture's quality and its reason on one line. */
export function qualityText(choice: QualityChoice, rendering: Rendering, learned: number): string {
  if (rendering === 'software') {
    switch (choice) {
      case 'auto':
        return 'Drawn without a graphics card: fewer pixels while something moves, sharp at rest.';
      case 'low':
        return 'Drawn without a graphics card, with few pixels at all times.';
      case 'medium':
        return 'Drawn without a graphics card, with reflections: slow on this machine.';
      case 'high':
        return 'Drawn without a graphics card, with shadows and reflections: very slow on this machine.';
    }
  }
  const { lacks } = levelAt(levelFor(choice, rendering, learned));
  const how = lacks === '' ? 'everything on' : lacks;
  if (choice !== 'auto') return `Drawn by the graphics card: ${how}.`;
  return lacks === ''
    ? 'Drawn by the graphics card with everything on: it is fast enough.'
    : `Drawn by the graphics card: ${how}, so that frames come in time.`;
}

/** The quality chosen earlier on this machine, and the function that stores another. */
export const { read: storedQuality, write: storeQuality } = keptChoice('simplesim.quality', QUALITY_CHOICES);
