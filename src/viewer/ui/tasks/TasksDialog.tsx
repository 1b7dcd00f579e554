import '../../styles/tasks.css';
import { CircleCheck } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { TaskFile } from '../../../protocol/files/task-file.ts';
import { SCENES } from '../../../protocol/wire/scene-ids.ts';
import { solvedTasks } from '../../engine/tasks/solved-tasks.ts';
import { LEVELS, levelOf, TASKS } from '../../engine/tasks/task-list.ts';
import { useViewer } from '../common/engine-context.ts';
import { PageDialog } from '../common/PageDialog.tsx';
import { useBeginTask } from './use-begin-task.ts';

const SCENE_IDS = Object.keys(SCENES).filter((id) => TASKS.some(({ scene }) => scene === id));

/** Chooses a task for the robot of this tab. */
export function TasksDialog({ onClose }: { onClose: () => void }) {
  const begin = useBeginTask();
  const present = useViewer((state) => state.task?.file.id ?? null);
  const [scene, setScene] = useState<string | null>(null);
  const solved = useMemo(() => solvedTasks(), []);
  const shown = TASKS.filter((task) => scene === null || task.scene === scene);
  const choose = (task: TaskFile) => {
    begin(task);
    onClose();
  };
  return (
    <PageDialog
      title="Tasks"
      description={`Choose what the robot has to do. Its scene is loaded again, and the clock starts with your first action. ${solvedText(solved)}`}
      className="tasks"
      onClose={onClose}
    >
      <label className="task-filter row">
        Scene
        <select value={scene ?? ''} onChange={({ target }) => setScene(target.value || null)}>
          <option value="">All scenes</option>
          {SCENE_IDS.map((id) => (
            <option key={id} value={id}>
              {sceneTitle(id)}
            </option>
          ))}
        </select>
      </label>
      {LEVELS.map((level) => {
        const tasks = shown.filter((task) => levelOf(task) === level);
        return (
          tasks.length > 0 && (
            <section key={level.title} aria-labelledby={`level-${level.callsAbove}`}>
              <h2 className="section-title" id={`level-${level.callsAbove}`}>
                {level.title}
              </h2>
              <ul className="task-list">
                {tasks.map((task) => (
                  <li key={task.id}>
                    <button type="button" className="task-choice" aria-current={task.id === present} onClick={() => choose(task)}>
                      <span className="task-choice-title">
                        {task.title}
                        {solved.has(task.id) && <Solved />}
                      </span>
                      <span className="task-choice-scene">{sceneTitle(task.scene)}</span>
                      <span className="task-choice-words">{task.instruction.default}</span>
                    </button>
                  </li>
                ))}
              </ul>
            </section>
          )
        );
      })}
    </PageDialog>
  );
}

function Solved() {
  return (
    <>
      <CircleCheck size={16} aria-hidden className="text-good task-solved" />
      <span className="visually-hidden">(solved)</span>
    </>
  );
}

function solvedText(solved: ReadonlySet<string>): string {
  const count = TASKS.filter(({ id }) => solved.has(id)).length;
  return count === 0 ? '' : `You have solved ${count} of ${TASKS.length} in this browser.`;
}

const sceneTitle = (id: string): string => Object.entries(SCENES).find(([known]) => known === id)?.[1].title ?? id;
