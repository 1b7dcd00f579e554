import { Download } from 'lucide-react';
import { CopyButton } from '../common/CopyButton.tsx';
import { useEngine, useViewer } from '../common/engine-context.ts';
import { bytes, duration } from '../common/format.ts';
import { useNow } from '../common/hooks.ts';
import { OUTCOME_TEXTS } from '../common/outcomes.ts';
import { ErrorReport } from '../values/ErrorReport.tsx';
import { OutcomeIcon } from '../values/OutcomeIcon.tsx';
import { ValueList } from '../values/ValueList.tsx';
import { ValueTree } from '../values/ValueTree.tsx';
import type { Callable } from './callables.ts';
import { pictureName, saveAs } from './download.ts';
import { outcomeOf, type RunOutcome, shownOutcome } from './outcome.ts';
import type { Run } from './run.ts';
import { actionIdOf, cancelRun } from './run-call.ts';

/** The outcome of a call, below its form. */
export function ReplyView({ run, callable }: { run: Run; callable: Callable }) {
  const outcome = outcomeOf(run);
  const shown = shownOutcome(outcome);
  const word = outcome.kind === 'lost' ? 'No reply' : OUTCOME_TEXTS[shown];
  return (
    <section className="reply stack" data-outcome={shown} aria-label="Reply">
      <div className="reply-head row" role="status">
        <OutcomeIcon outcome={shown} />
        <span className={`action-outcome outcome-${shown}`}>{word}</span>
        {run.finishedAtMs !== null && <span className="muted">{duration(run.finishedAtMs - run.startedAtMs)}</span>}
      </div>
      {outcome.kind === 'running' && <Progress run={run} callable={callable} />}
      <ReplyBody outcome={outcome} run={run} />
      {run.reply !== null && run.reply !== undefined && (
        <div className="row spread">
          {callable.kind === 'skill' ? (
            <code className="action-id cut" title={`Action id ${actionIdOf(run)}`}>
              {actionIdOf(run)}
            </code>
          ) : (
            <span />
          )}
          <CopyButton label="Copy the reply" text={() => JSON.stringify(run.reply, null, 2)} />
        </div>
      )}
    </section>
  );
}

function ReplyBody({ outcome, run }: { outcome: RunOutcome; run: Run }) {
  switch (outcome.kind) {
    case 'action':
      return (
        <>
          {outcome.result.error && <ErrorReport error={outcome.result.error} />}
          {outcome.result.result && <ValueList value={outcome.result.result} />}
          {outcome.result.meta.note && <p className="muted">{outcome.result.meta.note}</p>}
        </>
      );
    case 'refused':
      return <ErrorReport error={outcome.error} />;
    case 'value':
      return <ValueTree value={outcome.value} label="Reply" openTo={1} />;
    case 'picture':
      return <PictureView run={run} />;
    case 'lost':
      return <p>{outcome.message}</p>;
    case 'forgotten':
      return <p className="muted">The reply was not kept. Run it again to see one.</p>;
    default:
      return null;
  }
}

function Progress({ run, callable }: { run: Run; callable: Callable }) {
  const engine = useEngine();
  const action = useViewer(({ actions }) => actions.find(({ actionId }) => actionId === actionIdOf(run)) ?? null);
  const nowMs = useNow(200);
  const { current, total } = action?.progress ?? { current: 0, total: 0 };
  return (
    <div className="reply-progress columns">
      <p className="muted">{[duration(nowMs - run.startedAtMs), action?.phase].filter(Boolean).join(' · ')}</p>
      {callable.kind === 'skill' && (
        <button type="button" className="button" onClick={() => void cancelRun(engine, run)}>
          Cancel
        </button>
      )}
      {total > 0 ? (
        <progress className="progress" aria-label="Progress" max={total} value={Math.min(current, total)} />
      ) : (
        <progress className="progress progress-open" aria-label="Progress" />
      )}
    </div>
  );
}

function PictureView({ run: { picture } }: { run: Run }) {
  const robotName = useViewer((state) => state.robot?.name ?? '');
  if (!picture) return null;
  const { frame, camera, url } = picture;
  const name = pictureName(robotName, camera, frame.step);
  return (
    <div className="picture stack">
      <a href={url} target="_blank" rel="noreferrer" title="Open it in a tab of its own">
        <img src={url} width={frame.width} height={frame.height} alt={`What the camera ${camera} saw at step ${frame.step}`} />
      </a>
      <p className="muted">
        {frame.width} × {frame.height}, {bytes(picture.byteLength)}, step {frame.step}
      </p>
      <ValueList value={{ intrinsics: frame.intrinsics, camera_pose: frame.camera_pose }} />
      <div className="picture-foot cluster">
        <a className="button" href={url} download={`${name}.jpg`}>
          <Download size={16} aria-hidden />
          Save the picture
        </a>
        <button type="button" className="button" onClick={() => saveAs(`${name}.json`, JSON.stringify(frame, null, 2))}>
          <Download size={16} aria-hidden />
          Save the frame as JSON
        </button>
        <CopyButton label="Copy the frame" text={() => JSON.stringify(frame, null, 2)} />
      </div>
    </div>
  );
}
