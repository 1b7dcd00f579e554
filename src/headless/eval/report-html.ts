import { xml } from './junit.ts';
import { planDrawing } from './plan-drawing.ts';
import type { RunDrawing, RunRecord } from './run-record.ts';
import { percent, rateWords, sentenceOf } from './run-words.ts';
import type { Change, Success, Summary } from './summary.ts';

/** So many runs are drawn, those that did not pass first: the page stays small. */
const DRAWN_MAX = 200;

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
  changes: readonly Change[],
  pictures: ReportPictures = new Map(),
): string {
  const drawn = new Set(runsToDraw(runs));
  const title = `Evaluation of ${summary.agent}`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${xml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<h1>${xml(title)}</h1>
<p>SimpleSim ${xml(summary.product_version)}. ${headline(summary.all)}${powers(summary.all.pass_hat_k)}</p>
${changes.length === 0 ? '' : `<h2>Changes</h2>\n<ul>${changes.map(changeItem).join('')}</ul>`}
<h2>Tasks</h2>
<table>
<thead><tr><th>task</th><th>passed</th><th>rate, 95 % interval</th><th></th><th>pass^k</th><th>credit</th><th>simulated</th></tr></thead>
<tbody>
${summary.tasks.map(taskRow).join('\n')}
</tbody>
</table>
<h2>Runs</h2>
${failedFirst(runs)
  .map((run) => runBlock(run, drawn.has(run), pictures))
  .join('\n')}
${runs.length > DRAWN_MAX ? `<p>${DRAWN_MAX} of ${runs.length} runs are drawn, those that did not pass first.</p>` : ''}
</body>
</html>
`;
}

const rank = ({ outcome }: RunRecord): number => ['error', 'failed', 'passed'].indexOf(outcome);

const headline = ({ runs, passed, errors, rate, interval }: Success): string =>
  `${passed} of ${runs} runs passed${rate === null ? '' : `: ${percent(rate)} (95 % interval ${percent(interval.low)} to ${percent(interval.high)})`}.${errors > 0 ? ` ${errors} could not be made.` : ''}`;

const powers = (chances: Record<string, number>): string =>
  Object.keys(chances).length === 0
    ? ''
    : ` ${Object.entries(chances)
        .map(([k, chance]) => `pass^${k} ${percent(chance)}`)
        .join(', ')}.`;

const changeItem = ({ task, before, now, is }: Change): string =>
  `<li class="${is}">${task === null ? 'All tasks' : xml(task)}: ${is}, ${percent(before.rate)} before, ${percent(now.rate)} now.</li>`;

function taskRow(task: Summary['tasks'][number]): string {
  const { interval, rate } = task;
  const bar =
    rate === null
      ? ''
      : `<svg class="bar" viewBox="0 0 100 10" aria-hidden="true"><rect width="100" height="10" fill="#ddd"/><rect x="${pct(interval.low)}" width="${pct(interval.high - interval.low)}" height="10" fill="#9bb8dd"/><rect x="${pct(rate) - 1}" width="2" height="10" fill="#1d4a85"/></svg>`;
  return `<tr><td>${xml(task.title)}<br><code>${xml(task.suite)}/${xml(task.task)}</code></td><td>${task.passed} of ${task.runs}${task.errors > 0 ? `, ${task.errors} not made` : ''}</td><td>${rateWords(task)}</td><td>${bar}</td><td>${Object.entries(
    task.pass_hat_k,
  )
    .map(([k, chance]) => `${k}: ${percent(chance)}`)
    .join(
      '<br>',
    )}</td><td>${percent(task.mean_credit)}</td><td>${task.mean_simulated_s === null ? '–' : `${task.mean_simulated_s.toFixed(1)} s`}</td></tr>`;
}

const pct = (share: number): number => Math.round(share * 1_000) / 10;

function runBlock({ record, drawing }: ReportedRun, isDrawn: boolean, pictures: ReportPictures): string {
  const { task, seed, wording, outcome, calls, simulated_s: simulatedS, wall_s: wallS, verdict, agent } = record;
  const files = [
    record.proof_file === null ? xml(record.no_proof ?? '') : `proof: <code>${xml(record.proof_file)}</code>`,
    record.output_file === null ? '' : `output of the agent: <code>${xml(record.output_file)}</code>`,
    agent && agent.left_behind > 0 ? `${agent.left_behind} programs that the agent left behind were ended` : '',
    agent && agent.output_dropped > 0 ? `${agent.output_dropped} bytes of output were not kept` : '',
  ].filter((words) => words !== '');
  return `<details class="${outcome}"${outcome === 'passed' ? '' : ' open'}>
<summary><b>${outcome}</b> ${xml(task)}, seed ${seed}${wording === 'default' ? '' : `, ${wording}`}: ${xml(sentenceOf(record))}</summary>
<p>${calls} actions, ${simulatedS.toFixed(1)} simulated seconds, ${wallS.toFixed(1)} s on the clock. ${files.join('; ')}</p>
${isDrawn && drawing ? planDrawing(record.scene, drawing) : ''}
${pictureParts(record, pictures)}
${verdict === null ? '' : predicateTable(verdict)}
</details>`;
}

function pictureParts(record: RunRecord, pictures: ReportPictures): string {
  if (record.no_pictures !== null) return `<p>No pictures: ${xml(record.no_pictures)}</p>`;
  const ends = pictures.get(record);
  if (!ends) return '';
  const figure = (words: string, jpeg: Uint8Array): string =>
    `<figure><img alt="${words}, from above" src="data:image/jpeg;base64,${Buffer.from(jpeg).toString('base64')}"><figcaption>${words}</figcaption></figure>`;
  return `<div class="ends">${figure('At the start', ends.start)}${figure('At the end', ends.end)}</div>`;
}

const predicateTable = ({ predicates, subgoals }: NonNullable<RunRecord['verdict']>): string => `<table>
<thead><tr><th>predicate</th><th>holds</th><th>since step</th><th>share</th><th>of</th></tr></thead>
<tbody>${predicates
  .map(
    ({ path, kind, holds, since_step: since, share, subjects }) =>
      `<tr><td><code>${xml(path)}</code> ${xml(kind)}</td><td>${holds ? 'yes' : 'no'}</td><td>${since ?? ''}</td><td>${percent(share)}</td><td>${xml(subjects.join(', '))}</td></tr>`,
  )
  .join('')}${subgoals
  .map(
    ({ title, reached_at_step: step, credit }) =>
      `<tr><td>${xml(title)}</td><td>${step === null ? 'no' : 'yes'}</td><td>${step ?? ''}</td><td>${percent(credit)}</td><td></td></tr>`,
  )
  .join('')}</tbody>
</table>`;

const STYLE = `
body{font:15px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem;color:#1b1b1b;background:#fff}
table{border-collapse:collapse;margin:.5rem 0}td,th{text-align:left;padding:.25rem .8rem .25rem 0;border-bottom:1px solid #ddd;vertical-align:top}
.bar{width:10rem;height:1rem}details{border-left:.3rem solid #3c8d40;padding-left:.8rem;margin:.6rem 0}
details.failed{border-color:#c6423a}details.error{border-color:#777}.worse{color:#a3281f}.better{color:#2b6b2f}
svg,img{max-width:100%;height:auto}.ends{display:flex;flex-wrap:wrap;gap:.8rem}figure{margin:.4rem 0}code{font-size:.9em}
`;
