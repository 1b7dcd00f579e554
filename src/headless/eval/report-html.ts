import { REPLAY_PAGE } from '../../protocol/service/replay-page.ts';
import { xml } from './junit.ts';
import { planDrawing } from './plan-drawing.ts';
import { REPORT_STYLE } from './report-style.ts';
import type { RunDrawing, RunRecord } from './run-record.ts';
import { comparisonText, MISSING_SHOWN, percent, rateText, sentenceOf } from './run-texts.ts';
import type { Comparison, Success, Summary } from './summary.ts';

/** So many runs are drawn, those that did not pass first: the page stays small. */
const DRAWN_MAX = 200;

/** The replay page of `npm start`. */
const REPLAY_URL = `http://127.0.0.1:8080/${REPLAY_PAGE}`;

export interface ReportedRun {
  record: RunRecord;
  drawing: RunDrawing | null;
}

/** Pictures of runs as they began and ended, as JPEG. */
export type ReportPictures = Map<RunRecord, { start: Uint8Array; end: Uint8Array }>;

/** The runs that the report draws, those that did not pass first. */
export const runsToDraw = (runs: readonly ReportedRun[]): ReportedRun[] => failedFirst(runs).slice(0, DRAWN_MAX);

const failedFirst = (runs: readonly ReportedRun[]): ReportedRun[] =>
  [...runs].sort((one, other) => rank(one.record) - rank(other.record));

/** Returns the report as one page that needs nothing else: no script, no address, no picture from elsewhere. */
export function reportHtml(
  summary: Summary,
  runs: readonly ReportedRun[],
  comparisons: readonly Comparison[],
  pictures: ReportPictures = new Map(),
): string {
  const drawn = new Set(runsToDraw(runs));
  const title = `Evaluation of ${summary.agent}`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${xml(title)}</title>
<meta name="color-scheme" content="dark light">
<style>${REPORT_STYLE}</style>
</head>
<body>
<main>
<h1>${xml(title)}</h1>
<p class="lead">SimpleSim ${xml(summary.product_version)}. ${headline(summary.all)}${powers(summary.all.pass_hat_k)}</p>
${comparisons.length === 0 ? '' : `<h2>Comparison</h2>\n<ul>${comparisons.map(comparisonItem).join('')}</ul>`}
<h2>Tasks</h2>
<div class="card wide"><table>
<thead><tr><th>Task</th><th>Passed</th><th>Rate, 95 % interval</th><th></th><th>All of k runs pass</th><th>Credit</th><th>Simulated</th></tr></thead>
<tbody>
${summary.tasks.map(taskRow).join('\n')}
</tbody>
</table></div>
<h2>Runs</h2>
${runs.some(({ record }) => record.proof_file !== null) ? REPLAY_TEXTS : ''}
${failedFirst(runs)
  .map((run) => runBlock(run, drawn.has(run), pictures))
  .join('\n')}
${runs.length > DRAWN_MAX ? `<p>${DRAWN_MAX} of ${runs.length} runs are drawn, those that did not pass first.</p>` : ''}
</main>
</body>
</html>
`;
}

const OUTCOMES: Readonly<Record<RunRecord['outcome'], string>> = { passed: 'Passed', failed: 'Failed', error: 'Not made' };

const rank = ({ outcome }: RunRecord): number => ['error', 'failed', 'passed'].indexOf(outcome);

const headline = ({ runs, passed, errors, rate, interval }: Success): string =>
  `${passed} of ${runs} runs passed${rate === null ? '' : `: ${percent(rate)} (95 % interval ${percent(interval.low)} to ${percent(interval.high)})`}.${errors > 0 ? ` ${errors} could not be made.` : ''}`;

const powers = (chances: Record<string, number>): string =>
  Object.keys(chances).length === 0
    ? ''
    : ` Chance that all of k runs pass: ${Object.entries(chances)
        .map(([k, chance]) => `k = ${k}: ${percent(chance)}`)
        .join(', ')}.`;

const comparisonItem = (comparison: Comparison): string => `<li class="${comparison.is}">${xml(comparisonText(comparison))}</li>`;

function taskRow(task: Summary['tasks'][number]): string {
  const { interval, rate } = task;
  const bar =
    rate === null
      ? ''
      : `<svg class="bar" viewBox="0 0 100 10" aria-hidden="true"><rect width="100" height="10" class="bar-ground"/><rect x="${pct(interval.low)}" width="${pct(interval.high - interval.low)}" height="10" class="bar-interval"/><rect x="${pct(rate) - 1}" width="2" height="10" class="bar-rate"/></svg>`;
  return `<tr><td>${xml(task.title)}<br><code>${xml(task.suite)}/${xml(task.task)}</code></td><td>${task.passed} of ${task.runs}${task.errors > 0 ? `, ${task.errors} not made` : ''}</td><td>${rateText(task)}</td><td>${bar}</td><td>${Object.entries(
    task.pass_hat_k,
  )
    .map(([k, chance]) => `k = ${k}: ${percent(chance)}`)
    .join(
      '<br>',
    )}</td><td>${percent(task.mean_credit)}</td><td>${task.mean_simulated_s === null ? '–' : `${task.mean_simulated_s.toFixed(1)} s`}</td></tr>`;
}

const pct = (share: number): number => Math.round(share * 1_000) / 10;

/** Returns a link to a file of the results, which are beside the report. */
const fileLink = (file: string): string =>
  `<a href="${xml(file.split(/[\\/]/).map(encodeURIComponent).join('/'))}"><code>${xml(file)}</code></a>`;

/** A page of the file system cannot hand a file to a page of a server, so a person does. */
const REPLAY_TEXTS = `<p class="hint">To watch a run again, open <a href="${REPLAY_URL}">the replay page</a> of a SimpleSim that runs on this machine (<code>npm start</code>), and drop the proof of the run on it. A link cannot do this, because a browser hands no local file to another page.</p>`;

function runBlock({ record, drawing }: ReportedRun, isDrawn: boolean, pictures: ReportPictures): string {
  const { task, seed, wording, outcome, calls, simulated_s: simulatedS, wall_s: wallS, verdict, agent } = record;
  const files = [
    record.proof_file === null ? xml(record.no_proof ?? '') : `Proof: ${fileLink(record.proof_file)}`,
    record.output_file === null ? '' : `Output of the agent: ${fileLink(record.output_file)}`,
    agent && agent.left_behind > 0 ? `${agent.left_behind} programs that the agent left behind were ended` : '',
    agent && agent.output_dropped > 0 ? `${agent.output_dropped} bytes of output were not kept` : '',
  ].filter((text) => text !== '');
  return `<details class="card ${outcome}"${outcome === 'passed' ? '' : ' open'}>
<summary><b>${OUTCOMES[outcome]}</b> ${xml(task)}, seed ${seed}${wording === 'default' ? '' : `, ${wording}`}: ${xml(sentenceOf(record))}</summary>
<p>“${xml(record.instruction)}”</p>
<p>${calls} actions, ${simulatedS.toFixed(1)} simulated seconds, ${wallS.toFixed(1)} s on the clock. ${files.map((text) => `<br>${text}`).join('')}</p>
${missingList(record.missing)}
${isDrawn && drawing ? planDrawing(drawing) : ''}
${pictureParts(record, pictures)}
${verdict === null ? '' : predicateTable(verdict, record.sentences, drawing)}
</details>`;
}

/** The summary has the first sentences of what is missing; of more, the list has all. */
const missingList = (missing: readonly string[]): string =>
  missing.length > MISSING_SHOWN ? `<ul>${missing.map((sentence) => `<li>${xml(sentence)}</li>`).join('')}</ul>` : '';

function pictureParts(record: RunRecord, pictures: ReportPictures): string {
  if (record.no_pictures !== null) return `<p>No pictures: ${xml(record.no_pictures)}</p>`;
  const ends = pictures.get(record);
  if (!ends) return '';
  const figure = (text: string, jpeg: Uint8Array): string =>
    `<figure><img alt="${text}, from above" src="data:image/jpeg;base64,${Buffer.from(jpeg).toString('base64')}"><figcaption>${text}</figcaption></figure>`;
  return `<div class="ends">${figure('At the start', ends.start)}${figure('At the end', ends.end)}</div>`;
}

/** Predicates that are made of others. */
const COMPOSED: Readonly<Record<string, string>> = {
  all: 'All of these:',
  any: 'As many of these as the task requires:',
  not: 'The opposite of this:',
  // biome-ignore lint/suspicious/noThenProperty: the name of a predicate.
  then: 'One after the other:',
  while: 'Both at the same time:',
  still_at_end: 'Still at the end:',
};

const PARTS: Readonly<Record<string, string>> = { goal: 'Goal: ', never: 'Must never happen: ', subgoals: 'Part: ' };

function predicateTable(
  { predicates, subgoals }: NonNullable<RunRecord['verdict']>,
  sentences: RunRecord['sentences'],
  drawing: RunDrawing | null,
): string {
  const colours = new Map(drawing?.things.map(({ id, colour }) => [id, colour]));
  const named = (id: string): string => `${id}${colours.get(id) ? ` (${colours.get(id)})` : ''}`;
  const text = (path: string, kind: string, at: number): string => {
    const [part = '', ...inner] = path.replace('.when', '').split('.');
    const own = sentences[at] ?? [];
    return `${inner.length === 0 ? (PARTS[part.replace(/\[.*/, '')] ?? '') : '– '.repeat(inner.length)}${own.length > 0 ? own.join(' ') : (COMPOSED[kind] ?? kind)}`;
  };
  return `<div class="wide"><table>
<thead><tr><th>Predicate</th><th>Holds</th><th>Since step</th><th>Share</th><th>Of</th></tr></thead>
<tbody>${predicates
    .map(
      ({ path, kind, holds, since_step: since, share, subjects }, at) =>
        `<tr><td title="${xml(path)}">${xml(text(path, kind, at))}</td><td>${holds ? 'yes' : 'no'}</td><td>${since ?? ''}</td><td>${percent(share)}</td><td>${xml(subjects.map(named).join(', '))}</td></tr>`,
    )
    .join('')}${subgoals
    .map(
      ({ title, reached_at_step: step, credit }) =>
        `<tr><td>${xml(title)}</td><td>${step === null ? 'no' : 'yes'}</td><td>${step ?? ''}</td><td>${percent(credit)}</td><td></td></tr>`,
    )
    .join('')}</tbody>
</table></div>`;
}
