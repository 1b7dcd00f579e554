import { createContext, useContext, useEffect, useLayoutEffect, useRef } from 'react';
import type { PerspectiveCamera } from 'three';

/** A person's picture of the world, for everything of the page that goes with it, whoever draws it: the page itself, or a worker. */
export interface Picture {
  /** Where the next frame is drawn from. */
  readonly eye: PerspectiveCamera;
  /** Where the frame on the screen was drawn from: what a person points into. */
  readonly shownEye: PerspectiveCamera;
  /** What pointers and wheels act on. */
  readonly canvas: HTMLCanvasElement;
  readonly steps: FrameSteps;
  /** Pixels of the canvas per pixel of the page, of the last frame. */
  pixelRatio(): number;
  /** Is a frame still being drawn? Then there is no other. */
  isDrawing(): boolean;
  /** @param onShown told when the frame is there: at once by the page itself, which cannot tell what it cost */
  draw(order: { timeS: number; pixelRatio: number }, onShown: (costMs: number | null) => void): void;
}

/**
 * What moves with every frame. Called before it is drawn.
 * @param elapsedS since the frame before
 * @returns called when the frame is shown
 */
export type FrameStep = (elapsedS: number) => (() => void) | undefined;

/** The order of steps within a frame: the view first, then what stands where the view has it. */
export const STEP = { view: 0, anchors: 1 } as const;

export interface FrameSteps {
  add(order: number, step: FrameStep): () => void;
  /** Does all of them. @returns to be called when the frame is shown */
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
        for (const tell of whenShown) tell?.();
      };
    },
  };
}

/** Of the picture on the page, pixels of the page. */
export interface PictureSize {
  width: number;
  height: number;
}

const PictureContext = createContext<{ picture: Picture; size: PictureSize } | null>(null);

export const PictureProvider = PictureContext.Provider;

/** @throws outside of a picture */
export function usePicture(): { picture: Picture; size: PictureSize } {
  const value = useContext(PictureContext);
  if (!value) throw new Error('A part of the picture stands outside of one');
  return value;
}

/** Does something with every frame; the function may be another one at every render. */
export function useFrameStep(order: number, step: FrameStep): void {
  const { picture } = usePicture();
  const current = useRef(step);
  useLayoutEffect(() => {
    current.current = step;
  });
  useEffect(() => picture.steps.add(order, (elapsedS) => current.current(elapsedS)), [picture, order]);
}
