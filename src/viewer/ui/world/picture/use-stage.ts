import { useEffect, useState } from 'react';
import type { ScenePlace } from '../../../../protocol/wire/place.ts';
import { loadLook } from '../../../../stage/scenes/looks.ts';
import { type Stage, stageSteps } from '../../../../stage/stage.ts';
import type { StageQuality } from '../../../../stage/types.ts';

/** The page serves the robot. Building its picture blocks the page for at most about this long at a time. */
const SLICE_MS = 10;

/** A stage with its inputs. */
export interface BuiltStage {
  stage: Stage;
  layout: ScenePlace;
  quality: StageQuality;
}

/**
 * Builds the stage for people in slices, between which the page does its other work. The previous stage stays while another is
 * built.
 * @param layout the place; null builds nothing yet
 * @returns null until the first stage is built
 */
export function useStage(layout: ScenePlace | null, quality: StageQuality): BuiltStage | null {
  const [built, setBuilt] = useState<BuiltStage | null>(null);
  useEffect(() => {
    if (!layout) return;
    let steps: ReturnType<typeof stageSteps> | null = null;
    let timer = 0;
    let isOver = false;
    void loadLook(layout).then(work);
    function work() {
      if (isOver || !layout) return;
      steps ??= stageSteps({ layout, audience: 'people', quality });
      const endMs = performance.now() + SLICE_MS;
      for (let step = steps.next(); ; step = steps.next()) {
        if (step.done) {
          setBuilt({ stage: step.value, layout, quality });
          return;
        }
        if (performance.now() >= endMs) break;
      }
      timer = window.setTimeout(work);
    }
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [layout, quality]);
  // A replaced stage is freed once its successor is on the page, and the last one when the component unmounts.
  useEffect(() => () => built?.stage.dispose(), [built]);
  return built;
}
