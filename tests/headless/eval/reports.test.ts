import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { evaluate } from '../../../src/headless/eval/evaluate.ts';
import { junitXml } from '../../../src/headless/eval/junit.ts';
import { reportHtml } from '../../../src/headless/eval/report-html.ts';
import { openResults } from '../../../src/headless/eval/results-folder.ts';
import type { PlannedRun } from '../../../src/headless/eval/run-record.ts';
import { changesSince, readSummary, summarise } from '../../../src/headless/eval/summary.ts';
import type { TaskFile } from '../../../src/protocol/task-file.ts';
import { recordOf } from './records.ts';

const many = (passed: number, failed: number, task = 'take-one') => [
  ...Array.from({ length: passed }, (_, seed) => recordOf({ task, seed })),
  ...Array.from({ length: failed }, (_, at) => recordOf({ task, seed: passed + at, outcome: 'failed', reason: 'not_reached' })),
];

describe('what is made of runs', () => {
  it('errors count neither way', () => {
    const { all } = summarise([...many(3, 1), recordOf({ outcome: 'error', reason: 'no robot' })], 'a', '0');
    expect(all).toMatchObject({ runs: 4, passed: 3, errors: 1, rate: 0.75 });
    expect(all.pass_hat_k).toMatchObject({ 1: 0.75, 2: 0.5 });
  });

  it('only intervals that lie apart are a change, and tasks that one lacks are none', () => {
    const before = summarise([...many(20, 0), ...many(5, 5, 'gone')], 'a', '0');
    expect(changesSince(before, summarise(many(17, 3), 'a', '0'))).toEqual([]);
    expect(changesSince(before, summarise(many(6, 14), 'a', '0'))).toMatchObject([{ task: 'take-one', is: 'worse' }]);
    const bad = summarise(many(2, 18), 'a', '0');
    expect(changesSince(bad, summarise(many(20, 0), 'a', '0')).map(({ task, is }) => [task, is])).toEqual([
      [null, 'better'],
      ['take-one', 'better'],
    ]);
    expect(readSummary(JSON.stringify(before))).toEqual(before);
    for (const text of ['', '{}', 'null', '{"format":"simplesim.eval/1","all":{},"tasks":[]}'])
      expect(() => readSummary(text)).toThrow(/no summary/);
  });

  it('texts of others are text in XML and HTML, whatever they hold', () => {
    const evil = `<script>alert("1")</script>&\u0000\u001b[31m\ud800'`;
    const records = [recordOf({ outcome: 'error', reason: evil, title: evil })];
    const written =
      junitXml(records) + reportHtml(summarise(records, evil, '0'), [{ record: records[0] ?? recordOf(), drawing: null }], []);
    expect(written).not.toContain('<script');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what must not be there.
    expect(written).not.toMatch(/[\u0000\u001b]/);
    expect(written).not.toMatch(/\p{Cs}/u);
    expect(written).toContain('&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&amp;');
  });

  it('the report needs nothing from elsewhere, and draws the run in its scene', () => {
    const drawing = {
      path: [
        [0, 0],
        [1, 1],
      ],
      things: [{ id: 'cube_0', colour: 'red', from: [0, 1], to: [2, 1] }],
    } as const;
    const html = reportHtml(summarise([recordOf()], 'planner', '0'), [{ record: recordOf(), drawing }], []);
    expect(html).toContain('<polyline points="0,0 1,1"');
    expect(html).toContain('<title>cube_0</title>');
    expect(html).not.toMatch(/\b(?:src|href)=|https?:|@import|url\(/);
  });
});

describe('the folder of the results', () => {
  let dir: string;
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'simplesim-results-'));
  });
  afterEach(() => rmSync(dir, { recursive: true, force: true }));

  it('is for one evaluation: two that begin at once do not mix, and nothing is written over', async () => {
    const begun = await Promise.allSettled([openResults(join(dir, 'new')), openResults(join(dir, 'new'))]);
    expect(begun.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await expect(openResults(join(dir, 'new'))).rejects.toThrow(/not empty.*--out/);
  });

  it('has each run as soon as it is made', async () => {
    const results = await openResults(dir);
    await results.add({ record: recordOf({ proof_file: 'proofs/take-one-1.json' }), proof: '{}\n', drawing: null });
    expect(JSON.parse(readFileSync(join(dir, 'results.jsonl'), 'utf8'))).toEqual(
      recordOf({ proof_file: 'proofs/take-one-1.json' }),
    );
    expect(readFileSync(join(dir, 'proofs/take-one-1.json'), 'utf8')).toBe('{}\n');
  });
});

describe('the order of runs', () => {
  const tasks = ['a', 'b'].map((id) => ({ id }) as TaskFile);
  const made = async (options: Partial<Parameters<typeof evaluate>[0]>, outcomeOf = (_run: PlannedRun) => 'passed') => {
    const runs: string[] = [];
    await evaluate({
      tasks,
      seeds: [4, 5],
      robot: 'humanoid',
      wording: 'default',
      adaptive: null,
      jobs: 1,
      isOver: () => false,
      async makeRun(planned) {
        runs.push(`${planned.task.id}${planned.seed}`);
        const outcome = outcomeOf(planned) as 'passed';
        return { record: recordOf({ task: planned.task.id, seed: planned.seed, outcome }), proof: null, drawing: null };
      },
      onFinished: async () => undefined,
      ...options,
    });
    return runs;
  };

  it('tasks take turns, also with several at a time', async () => {
    expect(await made({})).toEqual(['a4', 'b4', 'a5', 'b5']);
    expect(new Set(await made({ jobs: 3 }))).toEqual(new Set(['a4', 'b4', 'a5', 'b5']));
  });

  it('adaptive: goes on with new seeds until each interval is narrow, up to a number, and gives up on a task that cannot be run', async () => {
    const runs = await made({ adaptive: { widthMax: 0.3, runsMax: 12 } }, ({ task, seed }) =>
      task.id === 'a' ? 'passed' : seed % 2 === 0 ? 'passed' : 'failed',
    );
    const of = (id: string) => runs.filter((run) => run.startsWith(id));
    // Beta(n + 1, 1) is narrower than 0.3 from 9 on; half and half is wide for long.
    expect(of('a')).toEqual(['a4', 'a5', 'a6', 'a7', 'a8', 'a9', 'a10', 'a11', 'a12', 'a13'].slice(0, of('a').length));
    expect(of('a').length).toBeLessThan(12);
    expect(of('b')).toHaveLength(12);
    expect(new Set(runs).size).toBe(runs.length);
    expect((await made({ adaptive: { widthMax: 0.3, runsMax: 50 } }, () => 'error')).length).toBeLessThan(10);
  });

  it('begins no run once it is over', async () => {
    const asked = [true, true, true];
    expect(await made({ isOver: () => asked.pop() === undefined })).toHaveLength(3);
  });
});
