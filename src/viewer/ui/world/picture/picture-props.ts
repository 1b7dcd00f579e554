import type { ReactNode } from 'react';
import type { ScenePlace } from '../../../../protocol/wire/place.ts';
import type { FrameSource } from '../../../../stage/types.ts';
import type { QualityLevel } from './quality.ts';

/** The source of the world, with everything that a person sees of it. */
export type PersonSource = Required<Omit<FrameSource, 'pass'>>;

/** The inputs of a picture, the same in every renderer. */
export interface PictureProps {
  layout: ScenePlace;
  level: QualityLevel;
  source: PersonSource;
  /** Describes the picture for people who do not see it. */
  label: string;
  /** Parts that belong to the picture but draw nothing themselves. */
  children: ReactNode;
}
