import { createContext, useContext } from 'react';
import type { Vec3 } from '../../../protocol/wire/geometry.ts';

/** The place of an eye and the point it looks at, world frame, metres. */
export interface EyePose {
  eye: Vec3;
  target: Vec3;
}

/** Access to the person's view for other code: written and read between frames, never through React. */
export interface ViewAccess {
  /** The pose as last drawn. */
  shown: EyePose | null;
  /** The pose to which the view moves next; the view clears it. */
  asked: EyePose | null;
  /** Whether this browser cannot draw 3D, so that no view is ever shown. */
  cannotDraw: boolean;
  /** Makes the view check for a request. The view rests while nothing changes. */
  wake: (() => void) | null;
}

export const createViewAccess = (): ViewAccess => ({ shown: null, asked: null, cannotDraw: false, wake: null });

const ViewAccessContext = createContext<ViewAccess>(createViewAccess());
export const ViewAccessProvider = ViewAccessContext.Provider;
export const useViewAccess = (): ViewAccess => useContext(ViewAccessContext);
