import { useEffect } from 'react';
import { robotMistake } from '../../engine/robot-mark.ts';
import { sceneMistake } from '../../engine/scene-mark.ts';
import { useViewer } from '../common/engine-context.ts';
import { useToast } from '../common/Toasts.tsx';

/**
 * Says that the address asks for a scene or a robot that there is not, because the usual one opens in its place. It waits for the
 * robot, so that the notice does not go while the page still loads.
 */
export function useAddressNotice(): void {
  const isLive = useViewer(({ phase }) => phase === 'live');
  const toast = useToast();
  useEffect(() => {
    if (!isLive) return;
    const { href } = location;
    for (const mistake of [sceneMistake(href), robotMistake(href)])
      if (mistake !== null) toast('Not what the address asks for', mistake);
  }, [isLive, toast]);
}
