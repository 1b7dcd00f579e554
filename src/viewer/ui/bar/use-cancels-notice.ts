import { useEffect } from 'react';
import { quoted } from '../../../common/shown-text.ts';
import { useViewer } from '../common/engine-context.ts';
import { wholeSeconds } from '../common/format.ts';
import { useToast } from '../common/Toasts.tsx';
import { beginning } from '../common/texts.ts';

/** Names a caller who repeatedly stops the actions of others. A stop is never rejected, so a person has to talk to them. */
export function useCancelsNotice(): void {
  const cancels = useViewer((state) => state.repeatedCancels);
  const toast = useToast();
  useEffect(() => {
    if (cancels === null) return;
    const { by, cancelled, within_ms: withinMs, last } = cancels;
    toast(
      `${beginning(quoted(by.name))} stops what others run`,
      `${cancelled} actions in ${wholeSeconds(withinMs)}, the last one ${last.name} of ${quoted(last.caller)}. A stop is never refused. Ask them, or remove them from the room.`,
    );
  }, [cancels, toast]);
}
