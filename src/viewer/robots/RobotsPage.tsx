import { KeyRound, Lock, Plus, Search, Ticket } from 'lucide-react';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { Robot } from '../../protocol/service/control-service.ts';
import { counted } from '../ui/common/format.ts';
import { KeysDialog } from './KeysDialog.tsx';
import { LinksDialog } from './LinksDialog.tsx';
import { RobotCard } from './RobotCard.tsx';
import { ClaimDialog, DeleteDialog, NewRobotDialog, RenameDialog } from './RobotDialogs.tsx';
import { FILTER_TEXTS, FILTERS, type Filter, foundRobots, isOccupied } from './robot-texts.ts';
import { ServiceText } from './ServiceText.tsx';
import { useRobotsState, useRobotsStore } from './store-context.ts';

type OpenDialog = { kind: 'new' | 'claim' | 'keys' } | { kind: 'rename' | 'delete' | 'links'; robot: Robot } | null;

const LOCKED = { text: 'The key is forgotten, as you asked. Paste one to see your robots again.', isProblem: false };
/** How often texts such as "3 min ago" are refreshed, in addition to each new state. */
const AGES_EVERY_MS = 10_000;

/** The robots of the account: the state of each, and its actions. */
export function RobotsPage() {
  const store = useRobotsStore();
  const { robots, sessions, places, problem } = useRobotsState();
  const [dialog, setDialog] = useDialog();
  const [search, setSearch] = useState('');
  const [filter, setFilter] = useState<Filter>('all');
  const [said, setSaid] = useState('');
  const nowMs = useNow();
  const all = robots ?? [];
  const found = useMemo(() => foundRobots(all, sessions, search, filter), [all, sessions, search, filter]);
  const onRename = useCallback((robot: Robot) => setDialog({ kind: 'rename', robot }), [setDialog]);
  const onDelete = useCallback((robot: Robot) => setDialog({ kind: 'delete', robot }), [setDialog]);
  const onLinks = useCallback((robot: Robot) => setDialog({ kind: 'links', robot }), [setDialog]);
  const dialogProps = { onDone: setSaid, onClose: () => setDialog(null) };
  const occupiedCount = sessions === null ? null : all.filter(({ id }) => isOccupied(sessions.get(id))).length;
  return (
    <div className="robots-page">
      <header className="robots-bar cluster spread">
        <p className="robots-brand row muted">
          <BrandMark />
          SimpleSim
        </p>
        <div className="robots-doings cluster">
          <button type="button" className="button button-main" onClick={() => setDialog({ kind: 'new' })}>
            <Plus size={16} aria-hidden />
            New robot
          </button>
          <button type="button" className="button" onClick={() => setDialog({ kind: 'claim' })}>
            <Ticket size={16} aria-hidden />
            Claim
          </button>
          <button type="button" className="button" onClick={() => setDialog({ kind: 'keys' })}>
            <KeyRound size={16} aria-hidden />
            API keys
          </button>
          <button
            type="button"
            className="button button-quiet robots-lock"
            aria-label="Lock"
            title="Forgets the API key; this page asks for one again"
            onClick={() => store.forget(LOCKED)}
          >
            <Lock size={16} aria-hidden />
            <span className="robots-lock-word">Lock</span>
          </button>
        </div>
      </header>
      <main className="robots-main">
        <div className="robots-top">
          <div>
            <h1>Your robots</h1>
            <p className="muted" data-testid="count">
              {counted(all.length, 'robot')}
              {occupiedCount === null ? '' : `, ${occupiedCount} in a room`}
            </p>
          </div>
          <div className="robots-find cluster">
            <label className="robots-search">
              <Search size={16} aria-hidden />
              <span className="visually-hidden">Search by name, model or id</span>
              <input
                className="input"
                type="search"
                placeholder="Search by name, model or id"
                autoComplete="off"
                spellCheck={false}
                onChange={(event) => setSearch(event.target.value)}
              />
            </label>
            <fieldset className="segments robots-filter">
              <legend className="visually-hidden">Which robots</legend>
              {FILTERS.map((each) => (
                <label key={each} className="segment">
                  <input type="radio" name="filter" checked={filter === each} onChange={() => setFilter(each)} />
                  <span>{FILTER_TEXTS[each]}</span>
                </label>
              ))}
            </fieldset>
          </div>
        </div>
        {problem === null ? null : (
          <p className="problem robots-problem" role="alert">
            <ServiceText text={problem.text} /> {robots === null ? '' : 'This list is out of date.'}
          </p>
        )}
        <p className="visually-hidden" role="status">
          {said}
        </p>
        {all.length === 0 ? (
          <section className="robots-empty">
            <h2>No robot yet</h2>
            <p className="card-text">
              Make a virtual robot and open it in this browser, or claim a physical one with the id and PIN that its operator gave
              you.
            </p>
            <div className="card-actions">
              <button type="button" className="button button-main" onClick={() => setDialog({ kind: 'new' })}>
                <Plus size={16} aria-hidden />
                Make the first one
              </button>
            </div>
          </section>
        ) : found.length === 0 ? (
          <p className="robots-none">No robot matches. Change the search, or show all.</p>
        ) : (
          <ul className="robots-grid" aria-label="Robots">
            {found.map((robot) => (
              <RobotCard
                key={robot.id}
                robot={robot}
                session={sessions === null ? undefined : (sessions.get(robot.id) ?? null)}
                seen={places.get(robot.id)}
                nowMs={nowMs}
                onRename={onRename}
                onDelete={onDelete}
                onLinks={onLinks}
              />
            ))}
          </ul>
        )}
      </main>
      {dialog?.kind === 'new' ? <NewRobotDialog {...dialogProps} /> : null}
      {dialog?.kind === 'claim' ? <ClaimDialog {...dialogProps} /> : null}
      {dialog?.kind === 'keys' ? <KeysDialog {...dialogProps} /> : null}
      {dialog?.kind === 'rename' ? <RenameDialog robot={dialog.robot} {...dialogProps} /> : null}
      {dialog?.kind === 'links' ? <LinksDialog robot={dialog.robot} {...dialogProps} /> : null}
      {dialog?.kind === 'delete' ? <DeleteDialog robot={dialog.robot} {...dialogProps} /> : null}
    </div>
  );
}

/**
 * The open dialog. Closing it returns the focus to the element that opened it, because the dialogs have no trigger of their own.
 */
function useDialog(): [OpenDialog, (dialog: OpenDialog) => void] {
  const [dialog, setDialog] = useState<OpenDialog>(null);
  const opener = useRef<Element | null>(null);
  useEffect(() => {
    if (dialog !== null || !(opener.current instanceof HTMLElement)) return;
    opener.current.focus();
    opener.current = null;
  }, [dialog]);
  const change = useCallback((next: OpenDialog) => {
    if (next !== null) opener.current = document.activeElement;
    setDialog(next);
  }, []);
  return [dialog, change];
}

function useNow(): number {
  const [nowMs, setNowMs] = useState(() => Date.now());
  const { sessions } = useRobotsState();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new state is a reason to read the clock.
  useEffect(() => {
    setNowMs(Date.now());
    const timer = setInterval(() => setNowMs(Date.now()), AGES_EVERY_MS);
    return () => clearInterval(timer);
  }, [sessions]);
  return nowMs;
}

function BrandMark() {
  return (
    <svg viewBox="3 4 18 16" width="27" height="24" aria-hidden="true">
      <rect x="4" y="5" width="16" height="14" rx="5" className="brand-shell" />
      <rect x="6.5" y="8.5" width="11" height="6" rx="3" className="brand-visor" />
      <circle cx="10" cy="11.5" r="1.1" className="brand-light" />
      <circle cx="14" cy="11.5" r="1.1" className="brand-light" />
    </svg>
  );
}
