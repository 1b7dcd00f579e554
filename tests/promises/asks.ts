import { describe, type Ended, judge } from '../oracle/judge.ts';
import { judgeRest } from '../oracle/judge-rest.ts';
import type { Truth } from '../oracle/truth.ts';
import { createWitness, type Witness } from '../oracle/witness.ts';
import type { PendingCall, Reply, TestRuntime } from '../runtime/test-runtime.ts';
import { total } from './figures.ts';

/** An agent that calls one skill after the other, while the judge checks each. */
export interface DriverFacts {
  readonly witness: Witness;
  /** Calls a skill, judges its end and the half second after it. */
  ask(name: string, input?: unknown, options?: AskOptions): Reply;
  advance(): void;
  cases: number;
  failures: string[];
  samples: Record<string, number[]>;
}

export interface AskOptions {
  /** Whether it must succeed. Counted under this name. */
  feasible?: string | undefined;
  /**
   * The test's interference with the scene, called before every step with the steps since the call, the phase reached and the
   * steps in it.
   */
  meanwhile?: (step: number, phase: string, stepsInPhase: number) => void;
  /** Options of the call itself: its id, its deadline. */
  options?: Record<string, unknown>;
  /** Other things than the robot move the scene during this call. */
  disturbed?: boolean;
  /** Whether the base itself is pushed, until the answer. Released, it gives way a little before it stands. */
  pushed?: boolean;
}

const ANSWER_WITHIN_S = 180;
/** A foot in the air comes down beside the other meanwhile. */
const REST_STEPS = 140;

export function createAsker(t: TestRuntime): DriverFacts {
  const witness = createWitness(t.core);
  const advance = (): void => {
    t.advance();
    witness.look();
  };

  function finish(call: PendingCall, meanwhile: AskOptions['meanwhile']): void {
    let phase = '';
    let since = 0;
    for (let step = 0; call.replies === 0 && step < ANSWER_WITHIN_S * 120; step += 1) {
      const [entry] = t.core.ledger.active.values();
      const now = entry?.phase ?? '';
      since = now === phase ? since + 1 : 0;
      phase = now;
      meanwhile?.(step, phase, since);
      if (call.replies === 0) advance();
    }
  }

  const counts = () => t.read('runtime.state').robot.extra.sort_benchmark;
  let collects: boolean = counts().collect;
  /** Follows the answers to the calls, not the reported state. */
  const follow = (name: string, input: { benchmark?: { collect?: boolean } }, reply: Reply): void => {
    if (reply.status !== 'done') return;
    if (name === 'reset' || name === 'select_scene') collects = true;
    if (name === 'configure_benchmark') collects = input.benchmark?.collect ?? collects;
  };

  const asker: DriverFacts = {
    witness,
    advance,
    cases: 0,
    failures: [],
    samples: {},
    ask(name, input = {}, { feasible, meanwhile, options, disturbed = false, pushed = false } = {}) {
      const before = witness.mark();
      const countsBefore = counts();
      const call = t.start(name, input, options);
      finish(call, meanwhile);
      asker.cases += 1;
      const { reply } = call;
      if (!reply) {
        asker.failures.push(`${name} ${JSON.stringify(input)}: no answer within ${ANSWER_WITHIN_S} s`);
        return { status: 'failed', error: { code: 'NO_ANSWER' } };
      }
      const travelled = witness.travelled();
      witness.look();
      const after = witness.now();
      const window = [...witness.window()];
      const { layout } = t.core.world.scene;
      const reported = { entities: t.runtime.sceneState(t.nowMs).entities, countsBefore, counts: counts() };
      const ended: Ended = { name, input, reply, layout, before, after, window, travelled, collects, reported, disturbed };
      follow(name, input as Parameters<typeof follow>[1], reply);
      const wrong = judge(ended);
      if (feasible) count(asker.samples, `feasible ${feasible}`, reply.status === 'done' ? 1 : 0);
      if (feasible && reply.status !== 'done') count(asker.samples, `${MISSED}${describe(ended)}`, 1);
      const later: Truth[] = [];
      for (let step = 0; step < REST_STEPS; step += 1) {
        advance();
        later.push(witness.now());
      }
      wrong.push(...(pushed ? [] : judgeRest(ended, after, later)), ...judgeState(t, witness.now()));
      asker.failures.push(...wrong.map((breach) => `call ${asker.cases}: ${breach}`));
      return reply;
    },
  };
  return asker;
}

/** Compares the held cubes in the state with the joints. */
function judgeState(t: TestRuntime, { held }: Truth): string[] {
  const reported: string[] = t.read('runtime.state').robot.held_entity_ids;
  return reported.join() === held.join() ? [] : [`the state says [${reported}] is held, it is [${held}]`];
}

export function count(samples: Record<string, number[]>, key: string, value: number): void {
  samples[key] ??= [];
  samples[key].push(value);
}

/** The name of a failed feasible request in the samples: the request and its answer. */
const MISSED = 'missed: ';
const MISSES_SHOWN = 5;

/** Feasible requests and how many of them were done, by name. */
export function feasibleRates(samples: Record<string, number[]>): { name: string; asked: number; done: number }[] {
  return Object.keys(samples)
    .filter((key) => key.startsWith('feasible '))
    .map((key) => ({ name: key.slice('feasible '.length), asked: samples[key]?.length ?? 0, done: total(samples[key]) }));
}

export const ratesText = (samples: Record<string, number[]>): string =>
  feasibleRates(samples)
    .map(({ name, asked, done }) => `${name} ${done}/${asked}`)
    .join(', ');

/** At least 99 % of the feasible requests must be done; a few cases do not allow a rate. */
export function ratesVerdict(samples: Record<string, number[]>): string[] {
  const breaches = feasibleRates(samples)
    .filter(({ asked, done }) => done < asked - Math.max(1, 0.01 * asked))
    .map(({ name, asked, done }) => `only ${done} of ${asked} feasible: ${name}`);
  const misses = Object.keys(samples).filter((key) => key.startsWith(MISSED));
  return breaches.length === 0 ? [] : [...breaches, ...misses.slice(0, MISSES_SHOWN)];
}
