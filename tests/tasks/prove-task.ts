import RAPIER from '@dimforge/rapier3d-compat';
import type { TaskFile } from '../../src/protocol/files/task-file.ts';
import { type AgentCall, type AgentCourse, play } from '../../src/tasks/agent-play.ts';
import { plannerAgent } from '../../src/tasks/planner-agent.ts';
import { proofText } from '../../src/tasks/proof-text.ts';
import { verifyProof } from '../../src/tasks/verify-proof.ts';
import { withByteChanged } from './byte-changed.ts';
import { judgeBoth } from './judged-alike.ts';
import { runOf } from './task-files.ts';

/** The conditions for publishing a task, in the world of one seed. */
export interface TaskProof {
  /** The faults, each a sentence; empty if the task is proven. */
  failures: string[];
  /** Worlds of other seeds in which the planner's calls from here reached the goal too. */
  lucky: number;
  proofBytes: number;
  simulatedS: number;
  /** How much faster than real time its proof is verified. */
  verifiedTimesRealTime: number;
}

/** A proof of a run this short is smaller than this. */
const PROOF_MAX_BYTES = 20_000;

/** Records an agent's commands. */
function* noting(agent: AgentCourse, calls: AgentCall[]): AgentCourse {
  let next = agent.next();
  while (!next.done) {
    if (next.value.method === 'runtime.tools_call') calls.push(next.value);
    next = agent.next(yield next.value);
  }
}

/** Repeats the calls that were right in another world, without looking at this one. */
function* blind(calls: readonly AgentCall[]): AgentCourse {
  for (const call of calls) yield call;
}

function* idle(): AgentCourse {}

/** @param others seeds of worlds for the blind agent */
export async function proveTask(task: TaskFile, seed: number, others: readonly number[]): Promise<TaskProof> {
  const failures: string[] = [];
  const say = (what: string): void => {
    failures.push(`${task.id}, seed ${seed}: ${what}`);
  };
  const still = await runOf(task, { seed });
  if (still.decided() !== null || still.verdict()?.share === 1) say('its goal is reached before the first step');
  play(still, idle());
  const { outcome, credit } = still.verdict() ?? {};
  if (outcome !== 'failed' || credit !== 0) say(`an agent that does nothing is ${outcome} with the credit ${credit}`);
  still.runtime.dispose();

  const calls: AgentCall[] = [];
  const run = await runOf(task, { seed });
  const judged = judgeBoth(task, run);
  play(run, noting(plannerAgent(task), calls));
  const verdict = run.verdict();
  if (verdict?.outcome !== 'passed') say(`the planner ${verdict?.outcome} (${verdict?.reason} ${verdict?.path ?? ''})`);
  const proved = run.proof();
  for (const difference of judged.differences()) say(difference);
  run.runtime.dispose();
  if (!proved.ok) throw new Error(proved.reason);
  const text = proofText(proved.proof);
  if (text.length > PROOF_MAX_BYTES) say(`its proof has ${text.length} bytes`);
  const began = performance.now();
  const verified = verifyProof(RAPIER, text);
  const simulatedS = proved.proof.steps / 120;
  const verifiedTimesRealTime = (simulatedS * 1000) / (performance.now() - began);
  if (verified.is !== 'true') say(`its proof is ${verified.is}: ${'what' in verified ? verified.what : ''}`);

  if (verifyProof(RAPIER, withByteChanged(text, seed)).is === 'true') say('its proof is true with a byte changed');

  let lucky = 0;
  for (const other of others) {
    const elsewhere = await runOf(task, { seed: other });
    play(elsewhere, blind(calls));
    if (elsewhere.verdict()?.outcome === 'passed') lucky += 1;
    elsewhere.runtime.dispose();
  }
  return { failures, lucky, proofBytes: text.length, simulatedS, verifiedTimesRealTime };
}
