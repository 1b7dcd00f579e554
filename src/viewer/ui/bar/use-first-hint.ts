import { useEffect } from 'react';
import { browserItems } from '../../engine/browser-storage.ts';
import { useContract } from '../common/contract.ts';
import { useViewer } from '../common/engine-context.ts';
import { useToast } from '../common/Toasts.tsx';
import { useUi } from '../common/ui-store.ts';

/** Set after the person has seen the first hint. */
const GREETED_ITEM = 'simplesim.greeted';

/**
 * Shows a hint once, when a person opens a robot of this tab for the first time, until they act. A task has its own instructions.
 * The physical contract has neither tasks nor picks to offer.
 */
export function useFirstHint(): void {
  const isNew = useViewer(({ phase, local, task }) => phase === 'live' && local && task === null);
  const isIdle = useUi((page) => page.selectedEntityId === null && page.pointedAt === null && !page.driving);
  const { hasTasks } = useContract();
  const isWanted = isNew && isIdle && hasTasks;
  const toast = useToast();
  useEffect(() => {
    if (!isWanted || browserItems.get(GREETED_ITEM) !== null) return;
    browserItems.set(GREETED_ITEM, 'yes');
    const byTouch = window.matchMedia('(pointer: coarse)').matches;
    return toast(
      'This robot is yours',
      `${byTouch ? 'Tap a cube, or Drive at the top' : 'Click a cube, or press G to drive'}. Tasks in the menu gives it something to do.`,
    );
  }, [isWanted, toast]);
}
