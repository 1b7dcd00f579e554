import { createContext, useContext } from 'react';
import type { Vec3 } from '../../../protocol/geometry.ts';

/** Where an eye is and what it looks at, world frame, metres. */
export interface EyePose {
  eye: Vec3;
  target: Vec3;
}

/** The person's view for others than the person: written and read between frames, never through React. */
export interface ViewAccess {
  /** As last drawn. */
  shown: EyePose | null;
  /** Where the view is to go next; taken by the view. */
  asked: EyePose | null;
  /** Has the view look whether something was asked: it rests while nothing changes. */
  wake: (() => void) | null;
}

export const createViewAccess = (): ViewAccess => ({ shown: null, asked: null, wake: null });

const ViewAccessContext = createContext<ViewAccess>(createViewAccess());
export const ViewAccessProvider = ViewAccessContext.Provider;
export const useViewAccess = (): ViewAccess => useContext(ViewAccessContext);
