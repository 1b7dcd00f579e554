import { HUMANOID } from '../../../protocol/robots/humanoid.ts';
import { type Caller, callerKey } from '../../../protocol/wire/caller.ts';
import type { RobotWords } from '../../../protocol/wire/robot.ts';
import type { ActionView, ParticipantView } from '../../engine/types.ts';
import { byId } from '../common/format.ts';
import { OUTCOME_TEXTS, type Outcome, outcomeOfAction } from '../common/outcomes.ts';
import { actionTitle, callerFacts } from '../common/texts.ts';

/** The filter of the shown actions; an empty text matches all. */
export interface ActionFilter {
  text: string;
  /** A skill's name, `cameras_capture` for pictures, or `skills` for everything except pictures. */
  name: string;
  status: '' | Outcome;
  /** The key of a caller. */
  caller: string;
}

export const ALL_ACTIONS: ActionFilter = { text: '', name: '', status: '', caller: '' };
/** Everything except pictures, of which an agent may take hundreds. */
export const SKILLS_ONLY = 'skills';

export const isFiltering = (filter: ActionFilter): boolean => Object.values(filter).some((value) => value !== '');

/** Returns the actions that match a filter, in their order. */
export function filtered(
  actions: readonly ActionView[],
  filter: ActionFilter,
  known: readonly ParticipantView[],
  robot: RobotWords = HUMANOID.words,
): readonly ActionView[] {
  if (!isFiltering(filter)) return actions;
  const words = filter.text.toLowerCase().split(/\s+/).filter(Boolean);
  return actions.filter((action) => {
    if (filter.name === SKILLS_ONLY ? action.kind === 'capture' : filter.name !== '' && action.name !== filter.name) return false;
    if (filter.status !== '' && outcomeOfAction(action) !== filter.status) return false;
    if (filter.caller !== '' && callerKey(action.caller) !== filter.caller) return false;
    if (words.length === 0) return true;
    const text = searchText(action, known, robot);
    return words.every((word) => text.includes(word));
  });
}

function searchText(action: ActionView, known: readonly ParticipantView[], robot: RobotWords): string {
  const error = action.result?.error;
  return [
    actionTitle(action, robot),
    action.name,
    action.actionId,
    callerFacts(action.caller, known),
    OUTCOME_TEXTS[outcomeOfAction(action)],
    error?.code,
    error?.message,
    JSON.stringify(action.input),
  ]
    .join(' ')
    .toLowerCase();
}

/** The choices of a filter, each with its count. */
export interface FilterChoices {
  names: readonly (readonly [name: string, count: number])[];
  callers: readonly (readonly [caller: Caller, count: number])[];
}

/** Returns the skills and callers that occur in a list of actions. */
export function filterChoices(actions: readonly ActionView[]): FilterChoices {
  const byKey = new Map(actions.map(({ caller }) => [callerKey(caller), caller]));
  const callers = counts([...actions.map(({ caller }) => callerKey(caller))]);
  return {
    names: counts(actions.map(({ name }) => name)),
    callers: callers.flatMap(([key, count]) => {
      const caller = byKey.get(key);
      return caller ? [[caller, count] as const] : [];
    }),
  };
}

function counts(values: readonly string[]): readonly (readonly [string, number])[] {
  const found = new Map<string, number>();
  for (const value of values) found.set(value, (found.get(value) ?? 0) + 1);
  return [...found].toSorted(([a], [b]) => byId(a, b));
}
