import { useEffect } from 'react';
import { browserItems } from '../../engine/browser-storage.ts';
import { useViewer } from '../common/engine-context.ts';
import { useToast } from '../common/Toasts.tsx';

/** Is there when a person was told what to do. */
const GREETED_ITEM = 'simplesim.greeted';

/** Tells who opens a robot of this tab for the first time, once, what there is to do. A task says so itself. */
export function useFirstHint(): void {
  const isNew = useViewer(({ phase, local, task }) => phase === 'live' && local && task === null);
  const toast = useToast();
  useEffect(() => {
    if (!isNew || browserItems.get(GREETED_ITEM) !== null) return;
    browserItems.set(GREETED_ITEM, 'yes');
    const byTouch = window.matchMedia('(pointer: coarse)').matches;
    toast(
      'This robot is yours',
      `${byTouch ? 'Tap a cube, or Drive at the top' : 'Click a cube, or press G to drive'}. Tasks in the menu gives it something to do.`,
    );
  }, [isNew, toast]);
}
