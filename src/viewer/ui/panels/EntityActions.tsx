import { useState } from 'react';
import { type EntityState, ROBOT_ENTITY_ID, type SceneState } from '../../../protocol/wire/scene.ts';
import { CopyButton } from '../common/CopyButton.tsx';
import { hasSkill } from '../common/contract.ts';
import { useEngine, useViewer } from '../common/engine-context.ts';
import { duration } from '../common/format.ts';
import { mayAct } from '../common/may-act.ts';
import { OUTCOME_TEXTS } from '../common/outcomes.ts';
import { useRobotWords } from '../common/robot-words.ts';
import { actionTitle } from '../common/texts.ts';
import { poseText } from '../common/value.ts';
import { useConsole, useConsoleStore } from '../console/console-store.ts';
import { outcomeOf, shownOutcome } from '../console/outcome.ts';
import type { Run } from '../console/run.ts';
import { runCall } from '../console/run-call.ts';
import { OutcomeIcon } from '../values/OutcomeIcon.tsx';
import { ACTION_ICONS } from '../world/things/action-icons.ts';
import { type CardAction, cardActions, entitySubject } from '../world/things/card-texts.ts';

/** Shorter than on a card, because the entity is named above. */
const SHORT_LABELS: Partial<Record<CardAction['icon'], string>> = { walk: 'Go there', pick: 'Pick up', look: 'Look at' };

/** Only the possible actions are shown, so the robot needs no words. */
const NO_TEXTS = { name: '', doing: '', hands: '' };

/** The actions on an entity that are possible now, and the outcome of the last one. */
export function EntityActions({ entity, scene }: { entity: EntityState; scene: SceneState }) {
  const engine = useEngine();
  const store = useConsoleStore();
  const live = useViewer((state) => state.phase === 'live');
  const callables = useConsole((state) => state.callables);
  const [runId, setRunId] = useState<string | null>(null);
  const lastRun = useConsole(({ runs }) => runs.find((candidate) => candidate.runId === runId) ?? null);
  const heldId = Object.values(scene.entities).find(({ attached_to }) => attached_to === ROBOT_ENTITY_ID)?.entity_id ?? null;
  const profile = useViewer((state) => state.profile);
  const layout = engine.layout();
  const subject = layout && entitySubject(entity.entity_id, scene, layout, NO_TEXTS);
  const offered = layout && subject ? cardActions(subject, scene, layout, heldId) : [];
  const acts = useViewer(mayAct);
  const actions = offered.filter(({ steps }) => acts && steps.every(({ name }) => hasSkill({ profile }, name)));
  const callableOf = (skill: string) => callables.find(({ id }) => id === skill);
  const run = async ({ steps }: CardAction) => {
    for (const { name, input } of steps) {
      const callable = callableOf(name);
      if (!callable) return;
      const running = runCall(engine, store, callable, input);
      setRunId(store.getState().runs[0]?.runId ?? null);
      if (shownOutcome(outcomeOf(await running)) !== 'done') return;
    }
  };
  return (
    <div className="entity-detail stack">
      <p className="entity-pose small muted">{poseText(entity.pose)}</p>
      <div className="entity-buttons cluster gap-1">
        {actions.map((action) => {
          const Icon = ACTION_ICONS[action.icon];
          const label = SHORT_LABELS[action.icon] ?? action.label;
          return (
            <button
              key={action.label}
              type="button"
              className="button"
              disabled={!live || !action.steps.every(({ name }) => callableOf(name))}
              aria-label={`${label}: ${entity.entity_id}`}
              onClick={() => void run(action)}
            >
              <Icon size={14} aria-hidden />
              {label}
            </button>
          );
        })}
        <CopyButton label="Copy id" text={() => entity.entity_id} />
      </div>
      {lastRun && <RunLine run={lastRun} />}
    </div>
  );
}

function RunLine({ run }: { run: Run }) {
  const robot = useRobotWords();
  const outcome = outcomeOf(run);
  const title = actionTitle({ kind: 'tool', name: run.callableId, input: run.input }, robot);
  const error =
    outcome.kind === 'refused' ? outcome.error.message : outcome.kind === 'action' ? outcome.result.error?.message : undefined;
  const sentence =
    outcome.kind === 'running'
      ? 'running'
      : outcome.kind === 'lost'
        ? outcome.message
        : error
          ? `${OUTCOME_TEXTS[shownOutcome(outcome)].toLowerCase()}. ${error}`
          : `done in ${duration((run.finishedAtMs ?? run.startedAtMs) - run.startedAtMs)}`;
  return (
    <p className="entity-run" role="status">
      <OutcomeIcon outcome={shownOutcome(outcome)} />
      <span>
        {title}: {sentence}
      </span>
    </p>
  );
}
