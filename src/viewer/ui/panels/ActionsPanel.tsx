import { Download, ListFilter, Search, X } from 'lucide-react';
import { useDeferredValue, useEffect, useMemo, useState } from 'react';
import { callerKey } from '../../../protocol/wire/caller.ts';
import type { ActionView } from '../../engine/types.ts';
import { useEngine, useViewer } from '../common/engine-context.ts';
import { counted } from '../common/format.ts';
import { OUTCOME_TEXTS } from '../common/outcomes.ts';
import { useRobotWords } from '../common/robot-words.ts';
import { callerName } from '../common/texts.ts';
import { saveAs } from '../console/download.ts';
import { ActionRow } from './ActionRow.tsx';
import { type ActionFilter, ALL_ACTIONS, filterChoices, filtered, isFiltering, SKILLS_ONLY } from './action-filter.ts';
import { actionsFile } from './action-json.ts';
import { Timeline } from './Timeline.tsx';

/** All requests to the robot: a strip over time, and a list with the newest first. */
export function ActionsPanel() {
  const engine = useEngine();
  const actions = useViewer((state) => state.actions);
  const known = useViewer((state) => state.known);
  const robot = useRobotWords();
  const [filter, setFilter] = useState<ActionFilter>(ALL_ACTIONS);
  const [openId, setOpenId] = useState<string | null>(null);
  const [scrollToId, setScrollToId] = useState<string | null>(null);
  const wanted = useDeferredValue(filter);
  const shown = useMemo(() => filtered(actions, wanted, known, robot), [actions, wanted, known, robot]);
  useEffect(() => {
    if (scrollToId === null) return;
    document.getElementById(`action-${scrollToId}`)?.scrollIntoView({ block: 'nearest' });
    setScrollToId(null);
  }, [scrollToId]);
  if (actions.length === 0) {
    return (
      <div className="empty">
        <p>Nothing has been asked of the robot yet.</p>
        <p className="muted">Calls and pictures from this page and from clients in the room appear here with their results.</p>
      </div>
    );
  }
  const save = () => {
    const { robot } = engine.store.getState();
    const { name, text } = actionsFile(shown, robot, filter, Date.now());
    saveAs(name, text);
  };
  return (
    <>
      <h2 className="visually-hidden">Actions</h2>
      <Timeline
        actions={shown}
        openId={openId}
        onOpen={(id) => {
          setOpenId(id);
          setScrollToId(id);
        }}
      />
      <FilterBar actions={actions} filter={filter} onFilter={setFilter} />
      <div className="list-head row spread">
        <p className="muted" role="status">
          {isFiltering(filter) ? `${shown.length} of ${counted(actions.length, 'action')}` : counted(actions.length, 'action')}
        </p>
        <button type="button" className="button button-quiet" disabled={shown.length === 0} onClick={save}>
          <Download size={14} aria-hidden />
          Save as JSON
        </button>
      </div>
      {shown.length === 0 && (
        <div className="empty">
          <p>No action matches the filter.</p>
          <button type="button" className="button" onClick={() => setFilter(ALL_ACTIONS)}>
            Show all actions
          </button>
        </div>
      )}
      <ul className="actions">
        {shown.map((action) => (
          <ActionRow key={action.actionId} action={action} open={action.actionId === openId} onOpen={setOpenId} />
        ))}
      </ul>
    </>
  );
}

interface FilterBarProps {
  actions: readonly ActionView[];
  filter: ActionFilter;
  onFilter: (filter: ActionFilter) => void;
}

function FilterBar({ actions, filter, onFilter }: FilterBarProps) {
  const known = useViewer((state) => state.known);
  const { names, callers } = useMemo(() => filterChoices(actions), [actions]);
  const [open, setOpen] = useState(false);
  const narrowed = [filter.name, filter.status, filter.caller].filter((value) => value !== '').length;
  const isOpen = open || narrowed > 0;
  const change = (part: Partial<ActionFilter>) => onFilter({ ...filter, ...part });
  return (
    <div className="filters stack">
      <div className="filter-line row gap-1">
        <search className="search">
          <Search size={16} aria-hidden />
          <input
            className="input"
            type="search"
            aria-label="Find an action"
            placeholder="Find an action"
            value={filter.text}
            onChange={(event) => change({ text: event.target.value })}
          />
        </search>
        <button
          type="button"
          className="icon-button"
          aria-label="Filter"
          title="Filter"
          aria-expanded={isOpen}
          aria-pressed={isOpen}
          onClick={() => {
            if (narrowed > 0) change({ name: '', status: '', caller: '' });
            setOpen(!isOpen);
          }}
        >
          {narrowed > 0 ? <X size={18} aria-hidden /> : <ListFilter size={18} aria-hidden />}
        </button>
      </div>
      {isOpen && (
        <div className="filter-selects">
          <select
            className="input"
            aria-label="Skill"
            value={filter.name}
            onChange={(event) => change({ name: event.target.value })}
          >
            <option value="">Any skill</option>
            <option value={SKILLS_ONLY}>All but pictures</option>
            {names.map(([name, count]) => (
              <option key={name} value={name}>
                {name === 'cameras_capture' ? 'Pictures' : name} ({count})
              </option>
            ))}
          </select>
          <select
            className="input"
            aria-label="Outcome"
            value={filter.status}
            onChange={(event) => change({ status: event.target.value as ActionFilter['status'] })}
          >
            <option value="">Any outcome</option>
            {Object.entries(OUTCOME_TEXTS).map(([outcome, word]) => (
              <option key={outcome} value={outcome}>
                {word}
              </option>
            ))}
          </select>
          <select
            className="input"
            aria-label="Caller"
            value={filter.caller}
            onChange={(event) => change({ caller: event.target.value })}
          >
            <option value="">Any caller</option>
            {callers.map(([caller, count]) => (
              <option key={callerKey(caller)} value={callerKey(caller)}>
                {callerName(caller, known)} ({count})
              </option>
            ))}
          </select>
        </div>
      )}
    </div>
  );
}
