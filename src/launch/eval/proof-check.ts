import { type ChildProcess, fork } from 'node:child_process';
import { programBeside } from '../../control-service/program-beside.ts';
import type { FromVerifier, ToVerifier } from './verify-process.ts';

/** Re-simulates the proofs of an evaluation in a separate process. */
export interface ProofCheck {
  /** Verifies a proof. Never rejects. @returns why the proof is wrong, as a sentence; null if it is correct */
  whyNotTrue(proof: string): Promise<string | null>;
  /** Ends the process. Waiting proofs are not verified. */
  close(): void;
}

const PROCESS_ENDED = 'The process that re-simulates proofs ended. Verify the proof with `npm run simplesim -- verify`.';

/** The process is started by the first proof, and again after it has ended. */
export function openProofCheck(): ProofCheck {
  const waiting = new Map<number, (why: string | null) => void>();
  let verifier: ChildProcess | null = null;
  let count = 0;

  function answer(id: number, why: string | null): void {
    waiting.get(id)?.(why);
    waiting.delete(id);
  }

  function start(): ChildProcess {
    const { file, execArgv } = programBeside(import.meta.url, 'verify-process');
    const started = fork(file, { execArgv, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    started.on('message', ({ id, why }: FromVerifier) => answer(id, why));
    for (const event of ['exit', 'error'] as const)
      started.on(event, () => {
        if (verifier !== started) return;
        verifier = null;
        for (const id of waiting.keys()) answer(id, PROCESS_ENDED);
      });
    return started;
  }

  return {
    whyNotTrue(proof) {
      count += 1;
      const id = count;
      verifier ??= start();
      const to = verifier;
      return new Promise((resolve) => {
        waiting.set(id, resolve);
        to.send({ id, proof } satisfies ToVerifier, (error) => {
          if (error !== null) answer(id, PROCESS_ENDED);
        });
      });
    },
    close() {
      verifier?.kill('SIGKILL');
    },
  };
}
