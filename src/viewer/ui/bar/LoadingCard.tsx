import { CircleCheck, CircleX, LoaderCircle } from 'lucide-react';
import { shownName } from '../../../common/shown-text.ts';
import type { LoadingPart } from '../../engine/types.ts';
import { useViewer } from '../common/engine-context.ts';

/** The parts that must be ready before the robot works, and the progress of each. */
export function LoadingCard({ onOtherKey }: { onOtherKey: () => void }) {
  const name = useViewer((state) => (state.robot ? shownName(state.robot.name) : 'the robot'));
  const all = useViewer((state) => state.loading);
  const local = useViewer((state) => state.local);
  const parts = local ? all.filter(({ id }) => id !== 'room') : all;
  const offline = useViewer((state) => state.offline && !state.local);
  const waitsForNetwork = offline && parts.some(({ id, done }) => id === 'room' && !done);
  const failed = parts.some(({ problem }) => problem !== undefined);
  return (
    <section className="card loading-card" aria-labelledby="loading-title" aria-busy={!failed}>
      <h2 id="loading-title" className="card-title">
        {failed ? `${name} cannot start` : `Getting ${name} ready`}
      </h2>
      <ul className="loading-parts">
        {parts.map((part) => (
          <PartRow key={part.id} part={part} />
        ))}
      </ul>
      {waitsForNetwork && !failed && (
        <p className="card-text" role="status">
          This computer is offline. The page joins the room once there is a network.
        </p>
      )}
      {failed && (
        <div className="card-actions">
          <button type="button" className="button button-main" onClick={() => window.location.reload()}>
            Reload the page
          </button>
          <button type="button" className="button" onClick={onOtherKey}>
            Use another key
          </button>
        </div>
      )}
    </section>
  );
}

function PartRow({ part: { id, label, fraction, done, note, problem } }: { part: LoadingPart }) {
  const percent = Math.round(fraction * 100);
  const labelId = `loading-${id}`;
  return (
    <li className="loading-part columns">
      {problem ? (
        <CircleX size={16} aria-hidden className="text-bad" />
      ) : done ? (
        <CircleCheck size={16} aria-hidden className="text-good" />
      ) : (
        <LoaderCircle size={16} aria-hidden className="spin text-faint" />
      )}
      <span id={labelId}>{label}</span>
      <span className="muted">{problem ? 'Failed' : done ? 'Ready' : (note ?? `${percent} %`)}</span>
      <progress className="progress" aria-labelledby={labelId} max={100} value={done ? 100 : percent} />
      {problem && (
        <p className="loading-problem" role="alert">
          {problem}
        </p>
      )}
    </li>
  );
}
