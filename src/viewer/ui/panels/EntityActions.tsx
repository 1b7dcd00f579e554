import { Eye, Footprints, Grab, type LucideIcon, PackageOpen } from 'lucide-react';
import { useState } from 'react';
import { type EntityState, ROBOT_ENTITY_ID, type SceneState } from '../../../protocol/scene.ts';
import { CopyButton } from '../common/CopyButton.tsx';
import { useEngine, useViewer } from '../common/engine-context.ts';
import { duration } from '../common/format.ts';
import { poseWords } from '../common/value.ts';
import { actionTitle } from '../common/words.ts';
import { hasSkill } from '../common/worker.ts';
import { type Run, useConsole, useConsoleStore } from '../console/console-store.ts';
import { outcomeOf, outcomeStatus } from '../console/outcome.ts';
import { runCall } from '../console/run-call.ts';
import { OutcomeIcon } from './OutcomeIcon.tsx';
import { isCollected } from './scene-words.ts';

interface Deed {
  skill: string;
  label: string;
  icon: LucideIcon;
}

const GO: Deed = { skill: 'go_to', label: 'Go there', icon: Footprints };
const PICK: Deed = { skill: 'pick_entity', label: 'Pick up', icon: Grab };
const PLACE: Deed = { skill: 'place_entity', label: 'Put it here', icon: PackageOpen };
const LOOK: Deed = { skill: 'look_at', label: 'Look at', icon: Eye };

/** What can be done with an entity now, and what came of it. */
export function EntityActions({ entity, scene }: { entity: EntityState; scene: SceneState }) {
  const engine = useEngine();
  const store = useConsoleStore();
  const live = useViewer((state) => state.phase === 'live');
  const callables = useConsole((state) => state.callables);
  const [runId, setRunId] = useState<string | null>(null);
  const run = useConsole(({ runs }) => runs.find((candidate) => candidate.runId === runId) ?? null);
  const handsFull = Object.values(scene.entities).some(({ attached_to }) => attached_to === ROBOT_ENTITY_ID);
  const carry = entity.kind === 'cube' ? (handsFull ? [] : [PICK]) : handsFull ? [PLACE] : [];
  const profile = useViewer((state) => state.profile);
  const deeds = (isCollected(entity) ? [] : [GO, ...carry, LOOK]).filter(({ skill }) => hasSkill({ profile }, skill));
  const call = (skill: string) => {
    const callable = callables.find(({ id }) => id === skill);
    if (!callable) return;
    void runCall(engine, store, callable, { target: { kind: 'entity', entity_id: entity.entity_id } });
    setRunId(store.getState().runs[0]?.runId ?? null);
  };
  return (
    <div className="entity-detail">
      <p className="entity-pose">{poseWords(entity.pose)}</p>
      <div className="entity-buttons">
        {deeds.map(({ skill, label, icon: Icon }) => (
          <button
            key={skill}
            type="button"
            className="button"
            disabled={!live || !callables.some(({ id }) => id === skill)}
            aria-label={`${label}: ${entity.entity_id}`}
            onClick={() => call(skill)}
          >
            <Icon size={14} aria-hidden />
            {label}
          </button>
        ))}
        <CopyButton label="Copy id" text={() => entity.entity_id} />
      </div>
      {run && <RunLine run={run} />}
    </div>
  );
}

function RunLine({ run }: { run: Run }) {
  const outcome = outcomeOf(run);
  const title = actionTitle({ kind: 'tool', name: run.callableId, input: run.input });
  const error =
    outcome.kind === 'refused' ? outcome.error.message : outcome.kind === 'action' ? outcome.result.error?.message : undefined;
  const words =
    outcome.kind === 'running'
      ? 'running'
      : outcome.kind === 'lost'
        ? outcome.message
        : (error ?? `done in ${duration((run.finishedAtMs ?? run.startedAtMs) - run.startedAtMs)}`);
  return (
    <p className="entity-run" role="status">
      <OutcomeIcon status={outcomeStatus(outcome)} />
      <span>
        {title}: {words}
      </span>
    </p>
  );
}
