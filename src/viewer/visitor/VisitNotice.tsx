import { useViewer } from '../ui/common/engine-context.ts';
import { visitNotice } from './visit-texts.ts';

/** A line over the full width while the shown state is not the robot's current state. */
export function VisitNotice() {
  const text = useViewer((state) =>
    state.phase === 'live' && state.visit ? visitNotice({ ...state, visit: state.visit }) : null,
  );
  const stopProblem = useViewer(({ phase, visit }) => (phase === 'live' ? (visit?.stopProblem ?? null) : null));
  const stopDone = useViewer(({ phase, visit }) => (phase === 'live' ? (visit?.stopDone ?? null) : null));
  // The age in the text changes each second; a screen reader announces the rest once.
  const announced = text?.replace(/What you see is [^.]* old\. ?/, '').trim() || null;
  return (
    <>
      <p className="visually-hidden" role="status">
        {announced ?? ''}
      </p>
      {stopProblem !== null && (
        <div className="notice notice-bad">
          <p role="alert">{stopProblem}</p>
        </div>
      )}
      {stopDone !== null && (
        <div className="notice notice-stopped">
          <p role="alert">{stopDone}</p>
        </div>
      )}
      {text !== null && (
        <div className="notice">
          <p>{text}</p>
        </div>
      )}
    </>
  );
}
