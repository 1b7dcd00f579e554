import { shownId } from '../../protocol/shown-text.ts';
import { useEngine, useViewer } from './common/engine-context.ts';
import { PageDialog } from './common/PageDialog.tsx';

/** Tells why a scene was refused: each problem with its path. The present world goes on behind it. */
export function SceneRefusal() {
  const engine = useEngine();
  const refusal = useViewer((state) => state.sceneRefusal);
  if (refusal === null) return null;
  return (
    <PageDialog
      title="The scene was not opened"
      description={`${shownId(refusal.name)}: the robot stays where it is.`}
      className="scene-refusal"
      onClose={() => engine.store.setState({ sceneRefusal: null })}
    >
      <ul className="scene-problems">
        {refusal.problems.map(({ path, reason }) => (
          <li key={`${path} ${reason}`}>
            {path === '' ? 'The scene' : <code>{path}</code>} {reason}
          </li>
        ))}
      </ul>
    </PageDialog>
  );
}
