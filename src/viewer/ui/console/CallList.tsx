import { BookOpen, Camera, ChevronRight, LoaderCircle, Search } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import { useEngine, useViewer } from '../common/engine-context.ts';
import { type Callable, found } from './callables.ts';
import { useConsole, useConsoleStore } from './console-store.ts';
import { listSkills } from './run-call.ts';
import { SkillIcon } from './SkillIcon.tsx';
import { openCallable } from './sheet.ts';

/** All callables, with a search and arrow keys. */
export function CallList() {
  const engine = useEngine();
  const store = useConsoleStore();
  const search = useConsole((state) => state.search);
  const callables = useConsole((state) => state.callables);
  const listed = useConsole((state) => state.listed);
  const listProblem = useConsole((state) => state.listProblem);
  const isEnded = useViewer((state) => state.phase === 'ended');
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const { leftId } = store.getState();
    if (leftId === null) return;
    list.current?.querySelector<HTMLElement>(`[data-call="${CSS.escape(leftId)}"]`)?.focus();
    store.setState({ leftId: null });
  }, [store]);
  const shown = found(callables, search);
  const skills = shown.filter(({ kind }) => kind === 'skill');
  const reads = shown.filter(({ kind }) => kind !== 'skill');

  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    const stops = [...(list.current?.querySelectorAll<HTMLElement>('[data-stop]') ?? [])];
    const next = stops[stops.indexOf(document.activeElement as HTMLElement) + step];
    if (!next) return;
    event.preventDefault();
    next.focus();
  };
  if (isEnded)
    return <p className="list-note cluster muted">This tab is not connected, so there is no robot to ask for its skills.</p>;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the arrow keys only move the focus among the elements inside.
    <div ref={list} onKeyDown={onKeyDown}>
      <search>
        <form
          className="search"
          onSubmit={(event) => {
            event.preventDefault();
            const first = [...skills, ...reads][0];
            if (first) openCallable(store, first.id);
          }}
        >
          <Search size={16} aria-hidden />
          <input
            className="input"
            data-stop
            type="search"
            aria-label="Find a skill"
            placeholder="Find a skill"
            autoComplete="off"
            spellCheck={false}
            value={search}
            onChange={(event) => store.setState({ search: event.target.value })}
          />
        </form>
      </search>
      {!listed && listProblem === null && (
        <p className="list-note cluster muted">
          <LoaderCircle size={16} aria-hidden className="spin" /> Asking the robot for its skills
        </p>
      )}
      {listProblem !== null && (
        <div className="list-note cluster muted" role="alert">
          <p>The skills could not be listed. {listProblem}</p>
          <button type="button" className="button" onClick={() => void listSkills(engine, store)}>
            Ask again
          </button>
        </div>
      )}
      {shown.length === 0 && (
        <div className="empty">
          <p>Nothing here is called “{search}”.</p>
          <button type="button" className="button" onClick={() => store.setState({ search: '' })}>
            Show everything
          </button>
        </div>
      )}
      <Group title="Skills" callables={skills} />
      <Group title="Reads and pictures" callables={reads} />
    </div>
  );
}

function Group({ title, callables }: { title: string; callables: readonly Callable[] }) {
  const store = useConsoleStore();
  if (callables.length === 0) return null;
  return (
    <section className="calls" aria-label={title}>
      <h2 className="section-title">
        {title} <span className="section-count">{callables.length}</span>
      </h2>
      <ul>
        {callables.map((callable) => (
          <li key={callable.id}>
            <button
              type="button"
              className="call columns list-button"
              data-stop
              data-call={callable.id}
              onClick={() => openCallable(store, callable.id)}
            >
              <CallIcon callable={callable} />
              <span className="call-title">{callable.title}</span>
              <code className="call-name cut muted">{callable.id}</code>
              <ChevronRight size={16} aria-hidden className="call-chevron" />
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function CallIcon({ callable }: { callable: Callable }) {
  if (callable.kind === 'picture') return <Camera size={18} aria-hidden className="call-icon" />;
  if (callable.kind === 'read' && callable.id !== 'runtime.cancel')
    return <BookOpen size={18} aria-hidden className="call-icon" />;
  return <SkillIcon name={callable.id} />;
}
