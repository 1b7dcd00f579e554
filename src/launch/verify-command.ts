/** `npx simplesim verify FILE…`: re-simulates proofs and says whether they are true. */
import { parseArgs } from 'node:util';
import { thrownCode, thrownText } from '../control-service/thrown.ts';
import { verifyFile } from '../headless/verify-file.ts';
import { verificationWords } from '../protocol/headless-texts.ts';
import { EXIT } from './exit-codes.ts';
import { UsageError } from './service-args.ts';

const VERIFY_USAGE = `npx simplesim verify FILE…

  Re-simulates the proof files of runs, and says of each whether the run happened as it tells, or from which step on it differs.

Options
  --json     one line of JSON for each file
  --help     this

Ends with 0 when all are true; 1 when one is false or damaged; 2 for wrong arguments; 3 when a file cannot be read, or was written
by another version, which alone can tell.`;

try {
  const { values, positionals } = readArgs(process.argv.slice(2));
  if (values.help) console.log(VERIFY_USAGE);
  else process.exitCode = await verifyAll(positionals, values.json ?? false);
} catch (error) {
  console.error(thrownText(error));
  process.exit(error instanceof UsageError ? EXIT.wrongUsage : EXIT.couldNotRun);
}

/** @returns the exit code */
async function verifyAll(files: string[], isJson: boolean): Promise<number> {
  if (files.length === 0) throw new UsageError(`Name a proof file.\n\n${VERIFY_USAGE}`);
  const codes: number[] = [];
  for (const file of files) {
    const startedMs = performance.now();
    const said = await verifyFile(file).catch((thrown: unknown) => ({
      is: 'unreadable' as const,
      what: thrownCode(thrown) ?? thrownText(thrown),
    }));
    const seconds = (performance.now() - startedMs) / 1_000;
    const { proof, ...rest } = 'proof' in said ? said : { ...said, proof: null };
    const task = proof?.task?.id ?? null;
    const outcome = proof?.verdict?.outcome ?? null;
    if (isJson) console.log(JSON.stringify({ file, ...rest, task, seed: proof?.seed ?? null, outcome }));
    else console.log(`${file}: ${verificationWords(said, { seconds, task, outcome })}`);
    codes.push(said.is === 'true' ? EXIT.good : ['false', 'damaged'].includes(said.is) ? EXIT.notPassed : EXIT.couldNotRun);
  }
  return Math.max(...codes);
}

function readArgs(args: string[]) {
  try {
    const options = { json: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } } as const;
    return parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : String(error)}\n\n${VERIFY_USAGE}`);
  }
}
