import { ChevronDown } from 'lucide-react';
import { memo, useId } from 'react';
import type { ActionView } from '../../engine/types.ts';
import { useViewer } from '../common/engine-context.ts';
import { duration, timeOfDay } from '../common/format.ts';
import { OUTCOME_TEXTS, outcomeOfAction } from '../common/outcomes.ts';
import { useRobotWords } from '../common/robot-words.ts';
import { actionTitle, callerFacts } from '../common/texts.ts';
import { OutcomeIcon } from '../values/OutcomeIcon.tsx';
import { ActionDetail } from './ActionDetail.tsx';

interface ActionRowProps {
  action: ActionView;
  open: boolean;
  onOpen: (actionId: string | null) => void;
}

/** One action as an expandable row. Memoised, because hundreds of rows do not change while one action is running. */
export const ActionRow = memo(function ActionRow({ action, open, onOpen }: ActionRowProps) {
  const robot = useRobotWords();
  const detailId = useId();
  const caller = useViewer((state) => callerFacts(action.caller, state.known));
  const { actionId, startedAtMs, finishedAtMs } = action;
  const outcome = outcomeOfAction(action);
  const facts = [finishedAtMs === null ? null : duration(finishedAtMs - startedAtMs), timeOfDay(startedAtMs), `by ${caller}`];
  // The collapsed row shows why an action failed; the expanded detail shows the full reason.
  const reason = outcome !== 'cancelled' && !open ? action.result?.error?.message : undefined;
  return (
    <li id={`action-${actionId}`} className="action" data-outcome={outcome}>
      <button
        type="button"
        className="action-row columns list-button"
        aria-expanded={open}
        aria-controls={detailId}
        onClick={() => onOpen(open ? null : actionId)}
      >
        <OutcomeIcon outcome={outcome} />
        <span className="action-title cut" title={actionTitle(action, robot)}>
          {actionTitle(action, robot)}
        </span>
        <span className={`action-outcome outcome-${outcome}`}>{OUTCOME_TEXTS[outcome]}</span>
        <span className="action-facts cut small muted" title={`by ${caller}`}>
          {facts.filter(Boolean).join(' · ')}
        </span>
        {reason && <span className="action-reason">{reason}</span>}
        <ChevronDown size={16} aria-hidden className="action-chevron" />
      </button>
      <div id={detailId} hidden={!open}>
        {open && <ActionDetail action={action} />}
      </div>
    </li>
  );
});
