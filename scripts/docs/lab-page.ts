/** docs/reference/lab.md: the experiments of `npm run lab`, from their declarations in `lab/`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { loadQuietly } from '../../src/common/load-quietly.ts';
import { ROOT_DIR } from '../declarations.ts';
import { code, markdownTable } from './markdown.ts';

/** An option of one experiment. */
interface LabOption {
  takes: 'number' | 'nothing';
  about: string;
  min?: number;
  max?: number;
}

/** What the page shows of an experiment; `tests/lab` checks that the lab's own types fit. */
interface LabExperiment {
  sizes: readonly string[];
  choices?: { noun: string; names: readonly string[] };
  options: Readonly<Record<string, LabOption>>;
  head: readonly string[];
}

/** What the list of experiments has of each, by its name. */
type LabList = Readonly<Record<string, { about: string; takes: string; load(): Promise<LabExperiment> }>>;

const LAB_DIR = join(ROOT_DIR, 'lab');

/** Of `Size` in `lab/experiment.ts`. */
const SIZES: Readonly<Record<string, string>> = {
  smoke: 'shows that the experiment runs, and publishes nothing',
  nightly: 'fits into an hour; `.github/workflows/nightly.yml` runs it each night',
  full: 'the default; its results may be published',
};

/**
 * Imports the list of experiments. The path is not a literal: `lab` is a TypeScript project that refers to this one, so a static import
 * would make a circle of projects.
 */
async function labList(): Promise<LabList> {
  const { EXPERIMENTS } = (await import(pathToFileURL(join(LAB_DIR, 'experiments.ts')).href)) as { EXPERIMENTS: LabList };
  return EXPERIMENTS;
}

const flag = (name: string, { takes }: LabOption): string => code(`--${name}${takes === 'number' ? ' N' : ''}`);
/** For a cell or a list: a sentence of the code without its full stop. */
const phrase = (sentence: string): string => sentence.replace(/\.$/, '');

/** Returns the names of the files of results that the experiment writes into the reference. */
function publishedFiles(name: string): string[] {
  const text = readFileSync(join(LAB_DIR, 'experiments', `${name}.ts`), 'utf8');
  return [...text.matchAll(/\bpublish\('([\w.]+)'/g)].map(([, file = '']) => file);
}

/** Returns the names of the fields of a result, as `LabResult` declares them. */
function resultFields(): string[] {
  const [, body = ''] =
    /export interface LabResult \{([\s\S]*?)^\}/m.exec(readFileSync(join(LAB_DIR, 'result.ts'), 'utf8')) ?? [];
  return [...body.matchAll(/^ {2}(\w+)\??:/gm)].map(([, field = '']) => field);
}

function range({ takes, min = 1, max }: LabOption): string {
  if (takes === 'nothing') return 'takes no value';
  return max === undefined ? `a whole number of at least ${min}` : `a whole number from ${min} to ${max}`;
}

function section(name: string, about: string, { sizes, choices, options, head }: LabExperiment): string {
  const published = publishedFiles(name);
  const rows = Object.entries(options).map(([option, made]) => [flag(option, made), range(made), phrase(made.about)]);
  return [
    `## ${name}`,
    about,
    ['```sh', `npm run lab -- ${name}`, '```'].join('\n'),
    ...(rows.length > 0 ? [markdownTable(['option', 'value', 'meaning'], rows)] : []),
    [
      `- Sizes: ${sizes.map(code).join(', ')}.`,
      ...(choices
        ? [`- Arguments: any ${choices.noun} of ${choices.names.map(code).join(', ')}. Without an argument all of them run.`]
        : []),
      `- Columns of the result: ${head.map(phrase).join('; ')}.`,
      ...(published.length > 0
        ? [
            `- Publishes ${published.map((file) => code(`docs/reference/${file}`)).join(', ')}, from which \`measured.md\` is made.`,
          ]
        : []),
    ].join('\n'),
  ].join('\n\n');
}

/** Returns the text of the page. */
export async function labPage(list?: LabList): Promise<string> {
  const entries = Object.entries(list ?? (await labList()));
  const loaded = await Promise.all(
    // The package of LiveKit's rooms would log its debugging.
    entries.map(async ([name, { about, takes, load }]) => ({ name, about, takes, ...(await loadQuietly(process.env, load)) })),
  );
  const index = loaded.map(({ name, about, takes }) => [`[${code(name)}](#${name})`, phrase(about), takes]);
  return `${[
    '# The lab: experiments',
    'Made by `npm run docs` from the declarations in `lab/`; do not edit by hand.',
    'An experiment measures the product or tests its promises at a scale that `npm test` does not have. `npm run lab` lists them, and `npm run lab -- NAME --help` explains one.',
    markdownTable(['experiment', 'purpose', 'duration at full size on two cores'], index),
    'Build the page first: `npx vite build`. For `bench`, use a machine that does nothing else.',
    '## Options of every experiment',
    markdownTable(
      ['option', 'meaning'],
      [
        ...Object.entries(SIZES).map(([size, meaning]) => [code(`--size ${size}`), meaning]),
        ['`--out DIR`', 'the folder of the result and of files; default: `.cache/lab`'],
        ['`--help`', 'shows the arguments and options of this experiment'],
      ],
    ),
    'The exit code is 0 if everything is good, 1 if something failed, and 2 if the arguments are wrong.',
    '## Results',
    [
      'The rows of a result go to the standard output; progress and failures go to the standard error output.',
      `Each run also writes \`.cache/lab/NAME-SIZE.json\` with the fields ${resultFields().map(code).join(', ')}.`,
    ].join('\n'),
    ...loaded.map(({ name, about, ...experiment }) => section(name, about, experiment)),
  ].join('\n\n')}\n`;
}
