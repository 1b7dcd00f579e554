import { useEffect, useState } from 'react';
import type { PlanShapes } from './plan-shapes.ts';

/** Plans by scene, loaded when the first robot's place is known, and then kept; null before. */
let plans: Readonly<Record<string, PlanShapes>> | null = null;
let loading: Promise<void> | null = null;

function load(): Promise<void> {
  loading ??= import('../../../simulation/scene.ts?plans').then(
    (module) => {
      plans = module.plans;
    },
    (error: unknown) => {
      // The next card that needs a plan tries again.
      loading = null;
      throw error;
    },
  );
  return loading;
}

export type PlanOf = { kind: 'known'; shapes: PlanShapes } | { kind: 'loading' | 'unknown' | 'failed' };

/** Returns the plan of a scene by its id; `unknown` for an id that is not a scene of this page. */
export function usePlan(sceneId: string | null): PlanOf {
  const [state, setState] = useState<'loading' | 'there' | 'failed'>(plans === null ? 'loading' : 'there');
  useEffect(() => {
    if (state !== 'loading') return;
    let isGone = false;
    load().then(
      () => !isGone && setState('there'),
      () => !isGone && setState('failed'),
    );
    return () => {
      isGone = true;
    };
  }, [state]);
  if (plans === null) return { kind: state === 'failed' ? 'failed' : 'loading' };
  const shapes = sceneId !== null && Object.hasOwn(plans, sceneId) ? plans[sceneId] : undefined;
  return shapes ? { kind: 'known', shapes } : { kind: 'unknown' };
}
