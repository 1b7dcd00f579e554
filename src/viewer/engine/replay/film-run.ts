import type { Physics } from '../../../simulation/sim-world.ts';
import { createReplay } from '../../../tasks/replay.ts';
import { openProof } from '../../../tasks/verify-proof.ts';
import type { FilmedAction, FilmFrame, FromReplay, Judgement, ProofFacts } from './replay-messages.ts';

/**
 * A picture is taken this often, unless the run is so long that there would be too many. The page blends between two pictures.
 */
const EVERY_STEPS = 6;
const FRAMES_MAX = 12_000;
/** Pictures that are sent at once. */
const BATCH = 60;

/**
 * Replays the run of a proof and films it. It posts first that the run has begun, then places, pictures and actions, and finally
 * the result of the check.
 * Never throws for a text.
 * @param rapier initialised
 * @param text of a proof
 */
export function filmRun(rapier: Physics, text: string, post: (message: FromReplay) => void): void {
  const opened = openProof(rapier, text);
  if (opened.is !== 'whole') {
    post({ kind: 'judged', judgement: withoutProof(opened), verdict: null, missing: [] });
    return;
  }
  const { proof } = opened;
  const { calls: _calls, inputs, digests: _digests, verdict: _verdict, ...facts } = proof;
  post({ kind: 'begun', facts: { ...facts, inputCount: inputs.length } satisfies ProofFacts });

  const everySteps = Math.max(EVERY_STEPS, Math.ceil(proof.steps / FRAMES_MAX));
  const actions = new Map<string, FilmedAction>();
  const changed = new Set<FilmedAction>();
  let frames: FilmFrame[] = [];
  const replay = createReplay(rapier, opened, {
    onPlace: (place) => post({ kind: 'place', fromStep: replay.steps(), place }),
    onAction(record) {
      const step = replay.steps();
      const known = actions.get(record.actionId);
      const action: FilmedAction = {
        record,
        fromStep: known?.fromStep ?? step,
        toStep: record.status === 'running' ? null : (known?.toStep ?? step),
      };
      if (known) changed.delete(known);
      actions.set(record.actionId, action);
      changed.add(action);
    },
  });
  const send = (): void => {
    post({ kind: 'frames', frames, actions: [...changed] });
    frames = [];
    changed.clear();
  };
  const take = (): void => {
    frames.push({ step: replay.steps(), state: replay.runtime.renderState(), overlay: replay.runtime.overlay() });
    if (frames.length >= BATCH) send();
  };
  try {
    post({ kind: 'place', fromStep: 0, place: replay.runtime.layout() });
    take();
    while (replay.step()) if (replay.steps() % everySteps === 0 || replay.steps() === proof.steps) take();
    send();
    const difference = replay.difference();
    post({
      kind: 'judged',
      judgement: difference === null ? { is: 'true', steps: proof.steps } : { is: 'false', ...difference },
      verdict: replay.verdict(),
      missing: replay.missing(),
    });
  } finally {
    replay.dispose();
  }
}

function withoutProof(verification: Exclude<ReturnType<typeof openProof>, { is: 'whole' }>): Judgement {
  if (verification.is === 'damaged') return verification;
  const { proof: _proof, ...rest } = verification;
  return rest;
}
