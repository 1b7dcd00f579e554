import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import type { ProofPart } from './part.ts';
import { PROJECT_DIR } from './store.ts';

/** Examples of each operation in each phase of one slice. */
const EXAMPLES = { ci: 4, nightly: 25, full: 100 } as const;
const TAIL_CHARACTERS = 4_000;

/** A slice is one `npm run fuzz`: both faces on both databases, with a seed. */
export const httpPart: ProofPart = {
  name: 'http',
  open: async (size) => ({
    async run(slice) {
      const args = ['--import', 'tsx', 'tests/fuzz/run.ts', String(EXAMPLES[size]), String(slice)];
      const child = spawn(process.execPath, args, { cwd: PROJECT_DIR, stdio: ['ignore', 'pipe', 'pipe'] });
      const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
      const [output, errors, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
      const done = [...output.matchAll(/^(\d+) cases with /gm)].reduce((sum, [, cases]) => sum + Number(cases), 0);
      const tail = `${output}\n${errors}`.slice(-TAIL_CHARACTERS);
      if (done === 0) throw new Error(`The fuzzer sent nothing:\n${tail}`);
      const failures = code === 0 ? [] : [`npm run fuzz -- ${EXAMPLES[size]} ${slice} failed (${code}):\n${tail}`];
      return { done, failures };
    },
    close: async () => {},
  }),
};
