import { type RefObject, useEffect, useMemo, useRef } from 'react';
import type { StatusLight } from '../../../../stage/types.ts';
import { useEngine } from '../../common/engine-context.ts';
import { useMediaQuery } from '../../common/hooks.ts';
import { useUiStore } from '../../common/ui-store.ts';
import type { ViewMoved } from './FramePacer.tsx';
import { personMarkers, sameMarkers } from './person-markers.ts';
import type { PersonSource } from './picture-props.ts';
import { statusLightOf } from './status-light.ts';

/**
 * Returns the source of the page's picture: the engine's world, overlaid with this person's choices and the robot's state. A
 * change of these requests a frame; nothing passes through React.
 */
export function useFrameSource(inHead: RefObject<boolean>, viewMoved: ViewMoved): PersonSource {
  const { frames, store } = useEngine();
  const ui = useUiStore();
  const still = useMediaQuery('(prefers-reduced-motion: reduce)');
  const markers = useRef(personMarkers(ui.getState(), still));
  const statusLight = useRef<StatusLight>('idle');

  useEffect(() => {
    const lookAtChoices = () => {
      const next = personMarkers(ui.getState(), still);
      if (sameMarkers(next, markers.current)) return;
      markers.current = next;
      viewMoved.current = true;
    };
    const lookAtRobot = () => {
      const next = statusLightOf(store.getState(), Date.now());
      if (next === statusLight.current) return;
      statusLight.current = next;
      viewMoved.current = true;
    };
    lookAtChoices();
    lookAtRobot();
    const leaves = [ui.subscribe(lookAtChoices), store.subscribe(lookAtRobot)];
    return () => {
      for (const leave of leaves) leave();
    };
  }, [ui, store, viewMoved, still]);

  return useMemo(
    () => ({
      latest: () => frames.latest(),
      overlay: () => frames.overlay(),
      markers: () => markers.current,
      statusLight: () => statusLight.current,
      eye: () => (inHead.current ? 'pov' : null),
    }),
    [frames, inHead],
  );
}
