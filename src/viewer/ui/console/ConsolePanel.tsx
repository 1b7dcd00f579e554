import { useViewer } from '../common/engine-context.ts';
import { CallForm } from './CallForm.tsx';
import { CallList } from './CallList.tsx';
import { useConsole, useConsoleStore } from './console-store.ts';
import { HistoryList } from './HistoryList.tsx';

/** The robot's skills and reads, each with a form, and the calls made from here. */
export function ConsolePanel() {
  const store = useConsoleStore();
  const open = useConsole(({ callables, openId }) => callables.find(({ id }) => id === openId) ?? null);
  const page = useConsole((state) => state.page);
  const runCount = useConsole((state) => state.runs.length);
  // A page that is not the robot offers no calls.
  const isEnded = useViewer((state) => state.phase === 'ended');
  if (open && !isEnded) return <CallForm key={open.id} callable={open} />;
  return (
    <>
      {runCount > 0 && (
        <div className="segments console-pages">
          {(['calls', 'history'] as const).map((value) => (
            <label key={value} className="segment">
              <input type="radio" name="console-page" checked={page === value} onChange={() => store.setState({ page: value })} />
              <span>{value === 'calls' ? 'Skills' : `History · ${runCount}`}</span>
            </label>
          ))}
        </div>
      )}
      {page === 'history' && runCount > 0 ? <HistoryList /> : <CallList />}
    </>
  );
}
