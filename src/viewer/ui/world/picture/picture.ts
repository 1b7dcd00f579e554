import { createContext, useContext, useEffect, useLayoutEffect, useRef } from 'react';
import type { PerspectiveCamera } from 'three';

/** A person's picture of the world, shared by all parts of the page that belong to it. Either the page or a worker draws it. */
export interface Picture {
  /** The eye for the next frame. */
  readonly eye: PerspectiveCamera;
  /** The eye of the frame on the screen, into which a person points. */
  readonly shownEye: PerspectiveCamera;
  /** The element that receives pointer and wheel events. */
  readonly canvas: HTMLCanvasElement;
  readonly steps: FrameSteps;
  /** Returns the pixels of the canvas per pixel of the page in the last frame. */
  pixelRatio(): number;
  /** Returns whether a frame is still being drawn. No other frame is drawn meanwhile. */
  isDrawing(): boolean;
  /**
   * Draws a frame. @param onShown called when the frame is shown; a page that draws itself calls it at once, without a known cost
   */
  draw(order: { timeS: number; pixelRatio: number }, onShown: (costMs: number | null) => void): void;
}

/**
 * Updates anything that moves with every frame. Called before the frame is drawn.
 * @param elapsedS since the previous frame
 * @returns a function called when the frame is shown
 */
export type FrameStep = (elapsedS: number) => (() => void) | undefined;

/** The order of steps within a frame: the view first, then the parts that depend on it. */
export const STEP = { view: 0, anchors: 1 } as const;

export interface FrameSteps {
  add(order: number, step: FrameStep): () => void;
  /** Runs all steps. @returns a function to call when the frame is shown */
  run(elapsedS: number): () => void;
}

export function createFrameSteps(): FrameSteps {
  const steps = new Map<FrameStep, number>();
  return {
    add(order, step) {
      steps.set(step, order);
      return () => steps.delete(step);
    },
    run(elapsedS) {
      const ordered = [...steps].sort((a, b) => a[1] - b[1]);
      const whenShown = ordered.map(([step]) => step(elapsedS));
      return () => {
        for (const report of whenShown) report?.();
      };
    },
  };
}

/** Size of the picture on the page, page pixels. */
export interface PictureSize {
  width: number;
  height: number;
}

const PictureContext = createContext<{ picture: Picture; size: PictureSize } | null>(null);

export const PictureProvider = PictureContext.Provider;

/** Returns the surrounding picture. @throws outside of a picture */
export function usePicture(): { picture: Picture; size: PictureSize } {
  const value = useContext(PictureContext);
  if (!value) throw new Error('A part of the picture stands outside of one');
  return value;
}

/** Runs a step with every frame. The function may change at every render. */
export function useFrameStep(order: number, step: FrameStep): void {
  const { picture } = usePicture();
  const current = useRef(step);
  useLayoutEffect(() => {
    current.current = step;
  });
  useEffect(() => picture.steps.add(order, (elapsedS) => current.current(elapsedS)), [picture, order]);
}
