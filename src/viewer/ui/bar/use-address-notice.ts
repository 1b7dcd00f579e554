import { useEffect } from 'react';
import { quoted, shownId } from '../../../common/shown-text.ts';
import { readTaskAddress, readTaskId, robotMistake, sceneMistake, taskAddressMistake } from '../../engine/page-address.ts';
import { useViewer } from '../common/engine-context.ts';
import { useToast } from '../common/Toasts.tsx';

/**
 * Shows that the scene, robot or task in the address is unknown, because the default opens in its place. The notice waits for the
 * robot, so that it does not disappear while the page still loads.
 */
export function useAddressNotice(): void {
  const isLive = useViewer(({ phase }) => phase === 'live');
  const isLocal = useViewer(({ local }) => local);
  const toast = useToast();
  useEffect(() => {
    if (!isLive) return;
    const { href } = location;
    const say = (mistake: string | null) => mistake !== null && toast('Not what the address asks for', mistake);
    say(sceneMistake(href));
    say(robotMistake(href));
    const taskId = isLocal ? readTaskId(href) : null;
    say(isLocal ? taskAddressMistake(href) : null);
    if (taskId !== null && readTaskAddress(href) === null && taskAddressMistake(href) === null)
      void missingTask(taskId).then(say);
  }, [isLive, isLocal, toast]);
}

async function missingTask(id: string): Promise<string | null> {
  const { taskById } = await import('../../engine/tasks/task-list.ts');
  return taskById(id) ? null : `There is no task ${quoted(shownId(id))}. See Tasks in the menu for the available tasks.`;
}
