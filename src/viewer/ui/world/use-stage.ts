import { useEffect, useState } from 'react';
import type { SceneLayout } from '../../../protocol/scene.ts';
import { type Stage, stageSteps } from '../../../stage/stage.ts';
import type { StageQuality } from '../../../stage/types.ts';

/** The page answers for the robot: building its picture never holds it up for longer than about this. */
const SLICE_MS = 10;

/**
 * The stage for people, built in slices between which the page does its other work.
 * @param layout the place; null builds nothing yet
 * @returns null until it stands
 */
export function useStage(layout: SceneLayout | null, quality: StageQuality): Stage | null {
  const [stage, setStage] = useState<Stage | null>(null);
  useEffect(() => {
    if (!layout) return;
    const steps = stageSteps({ layout, audience: 'people', quality });
    let built: Stage | null = null;
    let timer = setTimeout(work);
    function work() {
      const endMs = performance.now() + SLICE_MS;
      for (let step = steps.next(); ; step = steps.next()) {
        if (step.done) {
          built = step.value;
          setStage(built);
          return;
        }
        if (performance.now() >= endMs) break;
      }
      timer = setTimeout(work);
    }
    return () => {
      clearTimeout(timer);
      setStage(null);
      built?.dispose();
    };
  }, [layout, quality]);
  return stage;
}
