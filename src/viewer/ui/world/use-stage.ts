import { useEffect, useState } from 'react';
import type { ScenePlace } from '../../../protocol/place.ts';
import { type Stage, stageSteps } from '../../../stage/stage.ts';
import type { StageQuality } from '../../../stage/types.ts';

/** The page answers for the robot: building its picture never holds it up for longer than about this. */
const SLICE_MS = 10;

/** A stage with what it was built for. */
export interface BuiltStage {
  stage: Stage;
  layout: ScenePlace;
  quality: StageQuality;
}

/**
 * The stage for people, built in slices between which the page does its other work. While another one is built the one before stays.
 * @param layout the place; null builds nothing yet
 * @returns null until the first one stands
 */
export function useStage(layout: ScenePlace | null, quality: StageQuality): BuiltStage | null {
  const [built, setBuilt] = useState<BuiltStage | null>(null);
  useEffect(() => {
    if (!layout) return;
    const steps = stageSteps({ layout, audience: 'people', quality });
    let timer = setTimeout(work);
    function work() {
      const endMs = performance.now() + SLICE_MS;
      for (let step = steps.next(); ; step = steps.next()) {
        if (step.done) {
          if (layout) setBuilt({ stage: step.value, layout, quality });
          return;
        }
        if (performance.now() >= endMs) break;
      }
      timer = setTimeout(work);
    }
    return () => clearTimeout(timer);
  }, [layout, quality]);
  // What is replaced is freed once its successor is on the page, and the last one when the page lets go.
  useEffect(() => () => built?.stage.dispose(), [built]);
  return built;
}
