import '../../styles/tasks.css';
import { capitalise } from '../../../protocol/capitalise.ts';
import { SCENES } from '../../../protocol/scene-ids.ts';
import type { TaskFile } from '../../../protocol/task-file.ts';
import { TASKS } from '../../engine/tasks/task-list.ts';
import { useEngine, useViewer } from '../common/engine-context.ts';
import { PageDialog } from '../common/PageDialog.tsx';
import { useUiStore } from '../common/ui-store.ts';

const SUITES = [...new Set(TASKS.map(({ suite }) => suite))];
const FIRST_SEED = 1;

/** Chooses a task for the robot of this tab. */
export function TasksDialog({ onClose }: { onClose: () => void }) {
  const engine = useEngine();
  const ui = useUiStore();
  const present = useViewer((state) => state.task?.file.id ?? null);
  const choose = (task: TaskFile) => {
    engine.tasks?.play(task, FIRST_SEED);
    ui.setState({ tab: 'task', panelOpen: true });
    onClose();
  };
  return (
    <PageDialog
      title="Tasks"
      description="Choose what the robot has to do. Its scene is loaded anew, the run is recorded and judged, and you do it by hand or by its skills."
      className="tasks"
      onClose={onClose}
    >
      {SUITES.map((suite) => (
        <section key={suite} aria-labelledby={`suite-${suite}`}>
          <h2 className="section-title" id={`suite-${suite}`}>
            {capitalise(suite)}
          </h2>
          <ul className="task-list">
            {TASKS.filter((task) => task.suite === suite).map((task) => (
              <li key={task.id}>
                <button type="button" className="task-choice" aria-current={task.id === present} onClick={() => choose(task)}>
                  <span className="task-choice-title">{task.title}</span>
                  <span className="task-choice-scene">{sceneTitle(task.scene)}</span>
                  <span className="task-choice-words">{task.instruction.default}</span>
                </button>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </PageDialog>
  );
}

const sceneTitle = (id: string): string => Object.entries(SCENES).find(([known]) => known === id)?.[1].title ?? id;
