import type { TaskFile } from '../../../protocol/files/task-file.ts';
import { FIRST_SEED } from '../../engine/tasks/task-list.ts';
import { productTask } from '../../engine/types.ts';
import { useEngine } from '../common/engine-context.ts';
import { useUiStore } from '../common/ui-store.ts';

/** Returns the function that begins a task and shows its instructions. */
export function useBeginTask(): (task: TaskFile) => void {
  const engine = useEngine();
  const ui = useUiStore();
  return (task) => {
    engine.tasks?.play(productTask(task), FIRST_SEED);
    ui.setState({ tab: 'task', panelOpen: true });
  };
}
