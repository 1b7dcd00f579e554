import type { ProofFile } from '../../../protocol/files/proof-file.ts';
import type { Verdict } from '../../../protocol/files/verdict.ts';
import type { ScenePlace } from '../../../protocol/wire/place.ts';
import type { Overlay, RenderState } from '../../../protocol/wire/render-state.ts';
import type { ActionRecord } from '../../../runtime/action-record.ts';
import type { Verification } from '../../../tasks/verify-proof.ts';

/** From the page to the worker that replays a run. A worker serves one proof. */
export interface ToReplay {
  /** The text of the proof. */
  proof: string;
}

/** The proof without the parts that only a machine reads. */
export type ProofFacts = Omit<ProofFile, 'calls' | 'inputs' | 'digests' | 'verdict'> & { inputCount: number };

type WithoutProof<T> = T extends unknown ? Omit<T, 'proof'> : never;
/** The result of the check. The proof itself stays in the worker. */
export type Judgement = WithoutProof<Verification>;

/** One picture of the run. */
export interface FilmFrame {
  /** Steps made before this picture. */
  step: number;
  state: RenderState;
  overlay: Overlay;
}

/** An action of the run, with the steps after which it began and ended. */
export interface FilmedAction {
  record: ActionRecord;
  fromStep: number;
  /** Null while it runs. */
  toStep: number | null;
}

export type FromReplay =
  /** The file can be replayed. */
  | { kind: 'begun'; facts: ProofFacts }
  /** The place from this step onwards. */
  | { kind: 'place'; fromStep: number; place: ScenePlace }
  /** In the order of the run. */
  | { kind: 'frames'; frames: FilmFrame[]; actions: FilmedAction[] }
  /** The last message: the result of the check, whether the replayed run solved its task, and what it lacks, in sentences. */
  | { kind: 'judged'; judgement: Judgement; verdict: Verdict | null; missing: string[] }
  | { kind: 'failed' };
