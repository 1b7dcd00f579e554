import { Pencil, Play, Trash2 } from 'lucide-react';
import type { RobotWords } from '../../../protocol/wire/robot.ts';
import { useEngine, useViewer } from '../common/engine-context.ts';
import { duration, timeOfDay } from '../common/format.ts';
import { useRobotWords } from '../common/robot-words.ts';
import { actionTitle } from '../common/texts.ts';
import { OutcomeIcon } from '../values/OutcomeIcon.tsx';
import type { Callable } from './callables.ts';
import { useConsole, useConsoleStore } from './console-store.ts';
import { outcomeOf, type RunOutcome, shownOutcome } from './outcome.ts';
import type { Run } from './run.ts';
import { runCall } from './run-call.ts';
import { openCallable } from './sheet.ts';

/** The calls made from this page, newest first, to be repeated unchanged or after a change. */
export function HistoryList() {
  const store = useConsoleStore();
  const runs = useConsole((state) => state.runs);
  const callables = useConsole((state) => state.callables);
  return (
    <>
      <ul className="history" aria-label="Called from this page">
        {runs.map((run) => (
          <HistoryRow key={run.runId} run={run} callable={callables.find(({ id }) => id === run.callableId)} />
        ))}
      </ul>
      <button
        type="button"
        className="button button-quiet"
        onClick={() => store.setState({ runs: runs.filter(({ finishedAtMs }) => finishedAtMs === null), page: 'calls' })}
      >
        <Trash2 size={14} aria-hidden />
        Clear the history
      </button>
    </>
  );
}

function HistoryRow({ run, callable }: { run: Run; callable: Callable | undefined }) {
  const robot = useRobotWords();
  const engine = useEngine();
  const store = useConsoleStore();
  const live = useViewer((state) => state.phase === 'live');
  const outcome = outcomeOf(run);
  const title = titleOf(run, callable, robot);
  const start = { input: run.input, options: run.options };
  const open = () => {
    openCallable(store, run.callableId, start);
    store.setState(({ sheets }) => {
      const sheet = sheets[run.callableId];
      return sheet ? { sheets: { ...sheets, [run.callableId]: { ...sheet, runId: run.runId } } } : {};
    });
  };
  const again = () => {
    if (!callable) return;
    openCallable(store, run.callableId, start);
    void runCall(engine, store, callable, run.input, run.options);
  };
  return (
    <li className="history-row">
      <button type="button" className="history-open columns list-button" onClick={open} disabled={!callable}>
        <OutcomeIcon outcome={shownOutcome(outcome)} />
        <span className="history-title cut">{title}</span>
        <span className="history-facts cut small muted">{factsOf(run, outcome)}</span>
      </button>
      <button
        type="button"
        className="icon-button icon-button-small"
        aria-label={`Change: ${title}`}
        title="Change"
        onClick={open}
      >
        <Pencil size={16} aria-hidden />
      </button>
      <button
        type="button"
        className="icon-button icon-button-small"
        aria-label={`Run again: ${title}`}
        title="Run again"
        disabled={!live || !callable}
        onClick={again}
      >
        <Play size={16} aria-hidden />
      </button>
    </li>
  );
}

const titleOf = (run: Run, callable: Callable | undefined, robot: RobotWords): string =>
  callable?.kind === 'skill'
    ? actionTitle({ kind: 'tool', name: run.callableId, input: run.input }, robot)
    : (callable?.title ?? run.callableId);

function factsOf(run: Run, outcome: RunOutcome): string {
  const took = run.finishedAtMs === null ? 'running' : duration(run.finishedAtMs - run.startedAtMs);
  const code =
    outcome.kind === 'refused' ? outcome.error.code : outcome.kind === 'action' ? outcome.result.error?.code : undefined;
  return [timeOfDay(run.startedAtMs), took, code].filter(Boolean).join(' · ');
}
