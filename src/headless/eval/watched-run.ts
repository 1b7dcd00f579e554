import { sha256OfText } from '../../common/sha256.ts';
import { STEPS_PER_SECOND } from '../../protocol/wire/limits.ts';
import { canonicalJson } from '../../runtime/canonical-json.ts';
import * as base from '../../simulation/base.ts';
import { proofText } from '../../tasks/proof-text.ts';
import { type Run, UNPROVABLE } from '../../tasks/recorded-run.ts';
import type { RunEnds } from './end-pictures.ts';
import type { PlannedRun, RunDrawing, RunRecord } from './run-record.ts';
import { runName } from './run-record.ts';

const SAMPLE_EVERY_STEPS = STEPS_PER_SECOND / 2;
/** Some seventeen minutes; a longer way is drawn as far as this. */
const SAMPLES_MAX = 2_000;

/** A recorded run, and what a report shows of it. */
export interface WatchedRun extends Run {
  drawing(): RunDrawing;
  /** How the world looked at the start, and looks now. */
  ends(): RunEnds;
}

/** Watches a run for its report; what it looks at leaves no trace in the run. */
export function watchRun(run: Run): WatchedRun {
  const path: [number, number][] = [];
  const { layout } = run.world().scene;
  const from = thingsOf(run);
  const start = run.runtime.renderState();
  const look = (): void => {
    const { x, y } = base.pose(run.world());
    path.push([x, y]);
  };
  look();
  return {
    ...run,
    runtime: {
      ...run.runtime,
      step(nowMs) {
        run.runtime.step(nowMs);
        if (run.steps() % SAMPLE_EVERY_STEPS === 0 && path.length < SAMPLES_MAX) look();
      },
    },
    ends: () => ({ place: run.runtime.layout(), start, end: run.runtime.renderState() }),
    drawing() {
      const to = new Map(thingsOf(run).map((thing) => [thing.id, thing.at]));
      return {
        layout,
        path,
        things: from.map(({ id, colour, at }) => ({ id, colour, from: at, to: to.get(id) ?? null })),
      };
    },
  };
}

function thingsOf(run: Run): { id: string; colour: string | null; at: [number, number] }[] {
  const { entities } = run.runtime.sceneState(0);
  return Object.values(entities)
    .filter(({ kind, state }) => kind !== 'robot' && kind !== 'pad' && state.collected !== true)
    .map(({ entity_id: id, pose, state }) => ({
      id,
      colour: state.color ?? null,
      at: [pose.position[0], pose.position[1]],
    }));
}

/** The outcome of a run, with the text of its proof. */
export interface FinishedRun {
  record: RunRecord;
  proof: string | null;
  drawing: RunDrawing | null;
  ends: RunEnds | null;
}

/** Returns what a run has become by now. Files are named, not written. */
export function finishRun(planned: PlannedRun, run: WatchedRun, wallS: number): FinishedRun {
  const verdict = run.verdict();
  const proved = run.proof();
  const record = recordOf(planned, {
    outcome: verdict?.outcome ?? 'error',
    reason: verdict?.reason ?? 'The run has no verdict.',
    share: verdict?.share ?? 0,
    credit: verdict?.credit ?? 0,
    calls: verdict?.calls ?? 0,
    simulated_s: verdict?.simulated_s ?? 0,
    wall_s: wallS,
    verdict,
    missing: run.missing(),
    sentences: run.sentences(),
    no_proof: proved.ok ? null : UNPROVABLE[proved.reason],
  });
  if (proved.ok) record.proof_file = `proofs/${runName(record)}.json`;
  return { record, proof: proved.ok ? proofText(proved.proof) : null, drawing: run.drawing(), ends: run.ends() };
}

/** A run that could not be made. @param reason a sentence @param told the facts that are known nevertheless */
export const brokenRun = (
  planned: PlannedRun,
  reason: string,
  wallS: number,
  agentFacts: Partial<Pick<RunRecord, 'agent' | 'output_file'>> = {},
): FinishedRun => ({
  record: recordOf(planned, { outcome: 'error', reason, wall_s: wallS, ...agentFacts }),
  proof: null,
  drawing: null,
  ends: null,
});

function recordOf({ task, seed, robot, wording, sceneFile }: PlannedRun, rest: Partial<RunRecord>): RunRecord {
  return {
    task: task.id,
    suite: task.suite,
    title: task.title,
    instruction: task.instruction[wording],
    task_sha256: sha256OfText(`${canonicalJson(task)}\n${sceneFile ?? ''}`),
    scene: task.scene,
    robot,
    seed,
    wording,
    outcome: 'error',
    reason: '',
    share: 0,
    credit: 0,
    calls: 0,
    simulated_s: 0,
    wall_s: 0,
    verdict: null,
    missing: [],
    sentences: [],
    agent: null,
    proof_file: null,
    output_file: null,
    no_proof: null,
    pictures: null,
    no_pictures: null,
    ...rest,
  };
}
