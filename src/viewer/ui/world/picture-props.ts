import type { ReactNode } from 'react';
import type { ScenePlace } from '../../../protocol/place.ts';
import type { FrameSource } from '../../../stage/types.ts';
import type { QualityLevel } from './quality.ts';

/** Of the world with everything that a person sees of it. */
export type PersonSource = Required<Omit<FrameSource, 'pass'>>;

/** What a picture is made of, whoever draws it. */
export interface PictureProps {
  layout: ScenePlace;
  level: QualityLevel;
  source: PersonSource;
  /** What it is a picture of, for who does not see it. */
  label: string;
  /** What goes with the picture; they draw nothing themselves. */
  children: ReactNode;
}
