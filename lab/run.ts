/**
 * `npm run lab` lists the experiments. `npm run lab -- NAME [argument …] [--size SIZE] [--out DIR] [option …]` runs one, and
 * `npm run lab -- NAME --help` explains it. Rows of the result go to the standard output, progress to the standard error output.
 * The exit code is 0, 1 if something failed, or 2 for wrong arguments.
 */
import { relative, resolve } from 'node:path';
import { loadQuietly } from '../src/common/load-quietly.ts';
import { didYouMean } from '../src/headless/near-miss.ts';
import { EXIT } from '../src/launch/exit-codes.ts';
import { print, printError, printTrouble } from '../src/launch/output.ts';
import { readOptions, UsageError, wrongUsage } from '../src/launch/read-options.ts';
import type { Asked, Experiment, Option, Report } from './experiment.ts';
import { EXPERIMENTS } from './experiments.ts';
import { currentCommit, keepResult, LAB_DIR, type LabResult, loadNow, PROJECT_DIR, publish, thisMachine } from './result.ts';

const COMMAND = 'npm run lab --';
const FAILURES_SHOWN = 20;

try {
  process.exit(await lab(process.argv.slice(2)));
} catch (thrown) {
  printTrouble(thrown);
  process.exit(thrown instanceof UsageError ? EXIT.wrongUsage : EXIT.notPassed);
}

/** @returns the exit code */
async function lab([name, ...args]: string[]): Promise<number> {
  if (name === undefined || name === '--help' || name === '-h') {
    print(listed());
    return EXIT.good;
  }
  const entry = Object.hasOwn(EXPERIMENTS, name) ? EXPERIMENTS[name] : undefined;
  if (!entry) throw new UsageError(`Unknown experiment ${name}.${didYouMean(name, Object.keys(EXPERIMENTS))}\n\n${listed()}`);
  // LiveKit's room package would print debug output between the rows.
  const experiment = await loadQuietly(process.env, entry.load);
  if (args.includes('--help') || args.includes('-h')) {
    print(help(name, experiment));
    return EXIT.good;
  }
  const result = await measured(name, experiment, readAsked(name, experiment, args));
  return result.failures.length === 0 ? EXIT.good : EXIT.notPassed;
}

/** Runs an experiment and keeps its result, also if it throws. */
async function measured(name: string, experiment: Experiment, asked: Asked): Promise<LabResult> {
  const { size, names, values, outDir } = asked;
  const startedAtMs = performance.now();
  const [loadBefore, startedAt] = [loadNow(), new Date().toISOString()];
  const [commit, machine] = [currentCommit(), thisMachine()];
  const rows: string[][] = [];
  const failures: string[] = [];
  const report: Report = {
    say: printError,
    row(...cells) {
      const row = cells.map(String);
      if (rows.length === 0) print(experiment.head.join(' | '));
      rows.push(row);
      print(row.join(' | '));
    },
    fail: (sentence) => void failures.push(sentence),
    publish: (file, change) => {
      if (size !== 'smoke') publish(file, change);
    },
  };
  let figures: unknown = null;
  try {
    figures = await experiment.run(asked, report);
  } catch (thrown) {
    failures.push(thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown));
  }
  const durationS = Math.round((performance.now() - startedAtMs) / 100) / 10;
  const load: [number, number] = [loadBefore, loadNow()];
  const { head } = experiment;
  const result = {
    name,
    size,
    asked: { names, values },
    commit,
    machine,
    startedAt,
    durationS,
    load,
    head,
    rows,
    figures,
    failures,
  };
  const path = relative(PROJECT_DIR, keepResult(outDir, result));
  for (const failure of failures.slice(0, FAILURES_SHOWN)) printError(failure);
  if (failures.length > FAILURES_SHOWN) printError(`… and ${failures.length - FAILURES_SHOWN} more in ${path}`);
  printError(`${name}, size ${size}, took ${durationS} s. Failures: ${failures.length}. Result: ${path}`);
  return result;
}

/** @throws UsageError */
function readAsked(name: string, { sizes, choices, options }: Experiment, args: string[]): Asked {
  const command = `${COMMAND} ${name}`;
  const known = Object.fromEntries(
    Object.entries(options).map(([option, { takes }]) => [option, { type: takes === 'number' ? 'string' : 'boolean' } as const]),
  );
  const { values, positionals } = readOptions(
    args,
    { size: { type: 'string', default: 'full' }, out: { type: 'string', default: LAB_DIR }, ...known },
    { command, positionalsMax: choices ? Number.POSITIVE_INFINITY : 0 },
  );
  const { size: wanted, out, ...own } = values;
  const size = sizes.find((one) => one === wanted);
  if (!size) throw wrongUsage(`Unknown size ${wanted}.${didYouMean(String(wanted), sizes)} Sizes: ${sizes.join(', ')}.`, command);
  for (const each of positionals) {
    if (!choices || choices.names.includes(each)) continue;
    throw wrongUsage(
      `Unknown ${choices.noun} ${each}.${didYouMean(each, choices.names)} Choices: ${choices.names.join(', ')}.`,
      command,
    );
  }
  const read = Object.entries(own).map(([option, value]) => {
    const { takes, min = 1, max = Number.MAX_SAFE_INTEGER } = options[option] as Option;
    if (takes === 'nothing') return [option, value === true];
    const number = Number(value);
    if (Number.isInteger(number) && number >= min && number <= max) return [option, number];
    const range = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`;
    throw wrongUsage(`--${option} takes a whole number ${range}.`, command);
  });
  return { size, names: positionals, values: Object.fromEntries(read), outDir: resolve(String(out)) };
}

function listed(): string {
  const width = Math.max(...Object.keys(EXPERIMENTS).map((name) => name.length));
  const rows = Object.entries(EXPERIMENTS).map(
    ([name, { about, takes }]) => `  ${name.padEnd(width)}  ${takes.padStart(6)}  ${about}`,
  );
  return [
    `${COMMAND} NAME [argument …] [--size smoke|full] [--out DIR] [option …]`,
    `${COMMAND} NAME --help`,
    '',
    'Experiments, and how long each takes at full size on two cores',
    ...rows,
  ].join('\n');
}

function help(name: string, { sizes, choices, options }: Experiment): string {
  const flag = (option: string, { takes }: Option): string => `--${option}${takes === 'number' ? ' N' : ''}`;
  const own = Object.entries(options).map(([option, made]) => [flag(option, made), made.about] as const);
  const rows = [
    [`--size ${sizes.join('|')}`, 'default: full'],
    ['--out DIR', `the folder of the result and of files; default: ${relative(PROJECT_DIR, LAB_DIR)}`],
    ...own,
  ] as const;
  const width = Math.max(...rows.map(([option]) => option.length));
  return [
    `${COMMAND} ${name}${choices ? ` [${choices.noun} …]` : ''} [option …]`,
    '',
    `  ${EXPERIMENTS[name]?.about}`,
    '',
    ...(choices ? [`Every ${choices.noun} is run if no ${choices.noun} is named: ${choices.names.join(', ')}`, ''] : []),
    'Options',
    ...rows.map(([option, about]) => `  ${option.padEnd(width)}  ${about}`),
    '',
    'Ends with 0; with 1 when something failed; with 2 for wrong arguments.',
  ].join('\n');
}
