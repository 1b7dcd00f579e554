import { shownId } from '../../common/shown-text.ts';
import { useEngine, useViewer } from './common/engine-context.ts';
import { PageDialog } from './common/PageDialog.tsx';

/** Shows why a scene or a task was rejected: each problem with its path. The current world continues behind it. */
export function FileRefusal() {
  const engine = useEngine();
  const refusal = useViewer((state) => state.fileRefusal);
  if (refusal === null) return null;
  return (
    <PageDialog
      title={`The ${refusal.kind} was not opened`}
      description={`${shownId(refusal.name)}: the robot stays where it is.`}
      className="scene-refusal"
      onClose={() => engine.store.setState({ fileRefusal: null })}
    >
      <ul className="scene-problems stack">
        {refusal.problems.map(({ path, reason }) => (
          <li key={`${path} ${reason}`}>
            {/* The problems of a task are whole sentences. */}
            {refusal.kind !== 'task' && (path === '' ? `The ${refusal.kind} ` : <code>{path} </code>)}
            {reason}
          </li>
        ))}
      </ul>
    </PageDialog>
  );
}
