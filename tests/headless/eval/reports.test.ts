import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ROOT_DIR } from '../../../scripts/compiled.mjs';
import { SentenceError } from '../../../src/common/sentence-error.ts';
import { drawEnds, type RunEnds } from '../../../src/headless/eval/end-pictures.ts';
import { evaluate } from '../../../src/headless/eval/evaluate.ts';
import { junitXml } from '../../../src/headless/eval/junit.ts';
import { notStarted } from '../../../src/headless/eval/not-started.ts';
import { reportHtml } from '../../../src/headless/eval/report-html.ts';
import { REPORT_STYLE } from '../../../src/headless/eval/report-style.ts';
import { openResults } from '../../../src/headless/eval/results-folder.ts';
import type { PlannedRun, RunRecord } from '../../../src/headless/eval/run-record.ts';
import { agentNeverActed, comparisonText, rateText, sentenceOf } from '../../../src/headless/eval/run-texts.ts';
import { compare, readSummary, summarise, unlike } from '../../../src/headless/eval/summary.ts';
import type { PictureOrder } from '../../../src/headless/pictures/pictures.ts';
import { runLine } from '../../../src/launch/eval/eval-texts.ts';
import type { TaskFile } from '../../../src/protocol/files/task-file.ts';
import type { Verdict } from '../../../src/protocol/files/verdict.ts';
import type { RenderState } from '../../../src/protocol/wire/render-state.ts';
import { builtInScene } from '../../../src/simulation/scene.ts';
import type { SceneDefinition } from '../../../src/simulation/scene-definition.ts';
import { agentOf, recordOf } from './records.ts';

const LAYOUT = (builtInScene('hall') as SceneDefinition).layout;

const many = (passed: number, failed: number, task = 'take-one') => [
  ...Array.from({ length: passed }, (_, seed) => recordOf({ task, seed })),
  ...Array.from({ length: failed }, (_, at) => recordOf({ task, seed: passed + at, outcome: 'failed', reason: 'not_reached' })),
];

describe('the results of runs', () => {
  it('errors count neither as passed nor as failed', () => {
    const { all } = summarise([...many(3, 1), recordOf({ outcome: 'error', reason: 'no robot' })], 'a', '0');
    expect(all).toMatchObject({ runs: 4, passed: 3, errors: 1, rate: 0.75 });
    expect(all.pass_hat_k).toMatchObject({ 1: 0.75, 2: 0.5 });
  });

  it('if no run could be made, there is no interval', () => {
    const record = recordOf({ outcome: 'error', reason: 'no robot' });
    const summary = summarise([record], 'a', '0');
    const page = reportHtml(summary, [{ record, drawing: null }], []);
    expect(rateText(summary.all)).toBe('–');
    expect(page).toContain('0 of 0 runs passed. 1 could not be made.');
    expect(page).not.toContain(' % to ');
    expect(rateText(summarise(many(1, 1), 'a', '0').all)).toBe('50 % (9 % to 91 %)');
  });

  it('a missing command is named, and planner is suggested if it is similar', () => {
    const sentence = 'The agent could not be started: ';
    expect(notStarted('planer', 127)).toBe(`${sentence}there is no command "planer". Did you mean planner?`);
    expect(notStarted('Planner', 127)).toBe(`${sentence}there is no command "Planner". Did you mean planner?`);
    expect(notStarted('no-such-agent --please', 127)).toBe(`${sentence}there is no command "no-such-agent".`);
    expect(notStarted('KEY=secret ./agent.txt', 126)).toBe(`${sentence}"./agent.txt" is not a program that can be run.`);
    // Only the shell reports which of several commands is missing.
    expect(notStarted('cd /tmp && agent', 127)).toBe(`${sentence}there is no such command.`);
  });

  it('an agent that ends with a fault is reported with the place of its output', () => {
    const agent = agentOf({ exit_code: 1 });
    const verdict = { reason: 'not_reached', predicates: [], subgoals: [] } as unknown as Verdict;
    const failed = recordOf({ outcome: 'failed', verdict, agent, output_file: 'output/a.txt' });
    expect(sentenceOf(failed)).toContain('The agent ended with 1. Its output is in output/a.txt.');
    expect(sentenceOf(failed, (file) => `results/${file}`)).toMatch(/ Its output is in results\/output\/a\.txt\.$/);
    expect(reportHtml(summarise([failed], 'a', '0'), [{ record: failed, drawing: null }], [])).toContain('is in output/a.txt');
    expect(junitXml([failed])).toContain('is in output/a.txt');
    expect(sentenceOf({ ...failed, agent: { ...agent, exit_code: null, signal: 'SIGSEGV' } })).toContain('with SIGSEGV. Its');
    const reported = { ...failed, agent: { ...agent, error_line: "ModuleNotFoundError: No module named 'numpy'" } };
    for (const sentence of [sentenceOf(reported), runLine(reported, (file) => file)])
      expect(sentence).toContain(`The agent ended with 1: "ModuleNotFoundError: No module named 'numpy'". Its output is in`);
    const missing = { ...failed, outcome: 'error', reason: 'No command.', agent: { ...agent, end: 'not_started' } } as const;
    expect(sentenceOf(missing)).toBe('No command. Its output is in output/a.txt.');
    for (const other of [
      { ...failed, agent: { ...agent, exit_code: 0 } },
      { ...failed, output_file: null },
    ])
      expect(sentenceOf(other)).not.toContain('output');
  });

  it('reports a comparison of every task and of all together, also if there are too few runs for a result', () => {
    const sentenceFor = (before: [number, number], now: [number, number]) =>
      compare(summarise(many(...before), 'a', '0'), summarise(many(...now), 'a', '0')).map(comparisonText);
    const sentence = '2 of 2 before, 0 of 2 now: too few runs for a result; use at least 5 seeds in both evaluations';
    expect(sentenceFor([2, 0], [0, 2])).toEqual([`all tasks: ${sentence}`, `take-one: ${sentence}`]);
    expect(sentenceFor([2, 0], [2, 0])[1]).toBe(
      'take-one: 2 of 2 before, 2 of 2 now: not worse, but so few runs catch nothing; use at least 5 seeds in both evaluations',
    );
    expect(sentenceFor([5, 0], [0, 5])[1]).toBe('take-one: 5 of 5 before, 0 of 5 now: worse');
    expect(sentenceFor([0, 5], [5, 0])[1]).toBe('take-one: 0 of 5 before, 5 of 5 now: better');
    expect(sentenceFor([5, 0], [5, 0])[1]).toBe('take-one: 5 of 5 before, 5 of 5 now: not worse');
    expect(sentenceFor([0, 2], [0, 2])[1]).toBe('take-one: 0 of 2 before, 0 of 2 now: not worse');
    expect(sentenceFor([10, 0], [9, 1])[1]).toBe(
      'take-one: 10 of 10 before, 9 of 10 now: too few runs for a result; use at least 80 seeds in both evaluations',
    );
    expect(sentenceFor([50, 50], [49, 51])[1]).toBe(
      'take-one: 50 of 100 before, 49 of 100 now: too few runs for a result; use more than 100 seeds in both evaluations',
    );
    // However certain the baseline is, an evaluation that passes every run is not worse.
    expect(sentenceFor([400, 0], [1, 0])[1]).toBe('take-one: 400 of 400 before, 1 of 1 now: not worse');
    // Each seed is a run of each task.
    const two = (passed: number, failed: number) => summarise([...many(passed, failed), ...many(passed, failed, 'b')], 'a', '0');
    expect(compare(two(1, 0), two(0, 1)).map(comparisonText)[0]).toBe(
      'all tasks: 2 of 2 before, 0 of 2 now: too few runs for a result; use at least 3 seeds in both evaluations',
    );
    const broken = summarise([recordOf({ outcome: 'error', reason: 'no robot' })], 'a', '0');
    expect(compare(summarise(many(2, 0), 'a', '0'), broken).map(comparisonText)[1]).toBe(
      'take-one: 2 of 2 before, 0 of 0 now: not compared, because no run counts',
    );
  });

  it('an agent could not run if it ended with an error before its first action in every run', () => {
    const crashed = recordOf({ outcome: 'failed', calls: 0, agent: agentOf({ exit_code: 1 }) });
    const killed = { ...crashed, agent: agentOf({ exit_code: null, signal: 'SIGSEGV' }) };
    expect(agentNeverActed([crashed, killed])).toBe(true);
    expect(agentNeverActed([])).toBe(false);
    for (const other of [
      { ...crashed, calls: 1 },
      { ...crashed, agent: agentOf({ exit_code: 0 }) },
      { ...crashed, agent: agentOf({ end: 'timed_out', exit_code: null }) },
      { ...crashed, agent: null },
      recordOf({ calls: 0, agent: agentOf({ exit_code: 1 }) }),
    ])
      expect(agentNeverActed([crashed, other])).toBe(false);
  });

  it('only intervals that lie apart are a change, and a task that one side lacks is not compared', () => {
    const before = summarise([...many(20, 0), ...many(5, 5, 'gone')], 'a', '0');
    expect(compare(before, summarise(many(17, 3), 'a', '0'))).toMatchObject([{ task: 'take-one', is: 'unclear' }]);
    expect(compare(before, summarise(many(6, 14), 'a', '0'))).toMatchObject([{ task: 'take-one', is: 'worse' }]);
    const bad = summarise(many(2, 18), 'a', '0');
    expect(compare(bad, summarise(many(20, 0), 'a', '0')).map(({ task, is }) => [task, is])).toEqual([
      [null, 'better'],
      ['take-one', 'better'],
    ]);
    expect(unlike(before, summarise([...many(2, 0), ...many(1, 0, 'new')], 'a', '0'))).toEqual({
      onlyOne: ['new', 'gone'],
      changed: [],
      conditions: [],
    });
    expect(readSummary(JSON.stringify(before))).toEqual(before);
    for (const text of ['', '{}', 'null', '{"format":"simplesim.eval/1","all":{},"tasks":[]}'])
      expect(() => readSummary(text)).toThrow(/not a summary/);
  });

  it('a goal that was reached before the robot did anything is counted separately', () => {
    const verdictOf = (calls: number, since: number): Verdict =>
      ({ calls, predicates: [{ path: 'goal', since_step: since }] }) as unknown as Verdict;
    const runs = [verdictOf(1, 0), verdictOf(0, 30), verdictOf(2, 40)].map((verdict, seed) => recordOf({ seed, verdict }));
    const failed = recordOf({ seed: 9, outcome: 'failed', reason: 'never_happened', verdict: verdictOf(0, 0) });
    expect(summarise([...runs, failed], 'a', '0').tasks[0]).toMatchObject({ passed: 3, passed_unaided: 2 });
  });

  it('a task that has changed is not compared, and other differences than the agent are reported', () => {
    const before = summarise(many(20, 0), 'a', '0');
    const changed = many(0, 20).map((record) => ({
      ...record,
      task_sha256: 'a2',
      robot: 'picker' as const,
      wording: 'vague' as const,
    }));
    const now = summarise(changed, 'b', '1');
    expect(compare(before, now)).toEqual([]);
    expect(unlike(before, now)).toEqual({
      onlyOne: [],
      changed: ['take-one'],
      conditions: [
        { what: 'robot', before: 'humanoid', now: 'picker' },
        { what: 'wording', before: 'default', now: 'vague' },
        { what: 'version', before: '0', now: '1' },
      ],
    });
    expect(now).toMatchObject({ robot: 'picker', wording: 'vague' });
    expect(now.tasks[0]?.seeds).toEqual(Array.from({ length: 20 }, (_, seed) => seed));
    const { robot: _robot, wording: _wording, ...old } = before;
    const { task_sha256: _hash, ...oldTask } = before.tasks[0] ?? now.tasks[0] ?? ({} as never);
    const earlier = readSummary(JSON.stringify({ ...old, tasks: [oldTask] }));
    expect(unlike(earlier, summarise(many(0, 20), 'a', '0'))).toEqual({ onlyOne: [], changed: [], conditions: [] });
    expect(compare(earlier, summarise(many(0, 20), 'a', '0'))).toHaveLength(2);
  });

  it('foreign text is only text in XML and HTML, whatever it contains', () => {
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
      layout: LAYOUT,
      path: [
        [0, 0],
        [1, 1],
      ],
      things: [{ id: 'cube_0', colour: 'red', from: [0, 1], to: [2, 1] }],
    } as const;
    const html = reportHtml(summarise([recordOf()], 'planner', '0'), [{ record: recordOf(), drawing }], []);
    expect(html).toContain('<polyline points="0,0 1,1"');
    expect(html).toContain('<title>cube_0</title>');
    expect(html).not.toMatch(/\bsrc=|<link|https?:|@import|url\(/);
  });

  it('the report shows the instruction, and each predicate in the sentences of the judge with the colours of its things', () => {
    const report = (path: string, kind: string, subjects: string[]) => ({
      ...{ path, kind, subjects, holds: true, since_step: 9, share: 1 },
    });
    const predicates = [report('goal', 'held', []), report('never[0]', 'all', []), report('never[0].of[0]', 'held', ['cube_0'])];
    const verdict = { reason: 'never_happened', predicates, subgoals: [] } as unknown as Verdict;
    const sentences = [['The robot does not hold cube_1.'], [], ["cube_0 is in the robot's hands."]];
    const record = recordOf({ outcome: 'failed', verdict, sentences });
    const drawing = { layout: LAYOUT, path: [], things: [{ id: 'cube_0', colour: 'red', from: [0, 0], to: null }] } as const;
    const html = reportHtml(summarise([record], 'a', '0'), [{ record, drawing }], []);
    for (const sentence of [
      '“Take one cube and hold it.”',
      '>Goal: The robot does not hold cube_1.<',
      '>Must never happen: All of these:<',
      '>– cube_0 is in the robot&#39;s hands.<',
      '>cube_0 (red)<',
    ])
      expect(html).toContain(sentence);
    expect(html).not.toContain('<code>never');
  });

  it('the report links the files of a run and names the page that replays its proof', () => {
    const record = recordOf({ outcome: 'failed', proof_file: 'proofs/a b.json', output_file: 'output/a.txt' });
    const html = reportHtml(summarise([record], 'planner', '0'), [{ record, drawing: null }], []);
    expect([...html.matchAll(/href="([^"]*)"/g)].map(([, address]) => address)).toEqual([
      'http://127.0.0.1:8080/replay.html',
      'proofs/a%20b.json',
      'output/a.txt',
    ]);
  });

  it('the tokens of the report have the values of the tokens of the page, dark and light', () => {
    const page = tokensOf(readFileSync(join(ROOT_DIR, 'src/viewer/styles/tokens.css'), 'utf8'));
    const report = tokensOf(REPORT_STYLE);
    expect(report.dark.size).toBeGreaterThan(20);
    expect(report.light.size).toBeGreaterThan(12);
    for (const theme of ['dark', 'light'] as const)
      for (const [name, value] of report[theme])
        expect(`${theme} ${name}: ${page[theme].get(name)}`).toBe(`${theme} ${name}: ${value}`);
  });

  it('a failed case of JUnit contains what is missing, the paths of its files and the last lines of the agent', () => {
    const missing = ['cube_0 lies on the floor, not on desk_top.', 'cube_1 still moves, not on desk_top.'];
    const verdict = { reason: 'not_reached', predicates: [], subgoals: [] } as unknown as Verdict;
    const files = { proof_file: 'proofs/a.json', output_file: 'output/a.txt' };
    const record = recordOf({ outcome: 'failed', reason: 'not_reached', verdict, missing, ...files });
    const written = junitXml([record, recordOf()], { tailOf: () => 'I give up <now>', pathOf: (file) => `results/${file}` });
    expect(written).toContain(`message="The run ended before the goal was reached. ${missing.join(' ')}"`);
    expect(written).toContain('Output of the agent: results/output/a.txt\n');
    expect(written).toContain('Proof: results/proofs/a.json (');
    expect(written.match(/<system-out>.*<\/system-out>/g)).toEqual(['<system-out>I give up &lt;now&gt;</system-out>']);
  });

  it('the sentence of a failed run names three missing things and counts the others', () => {
    const verdict = { reason: 'not_reached', predicates: [], subgoals: [] } as unknown as Verdict;
    const missing = ['One.', 'Two.', 'Three.', 'Four.', 'Five.'];
    const record = recordOf({ outcome: 'failed', verdict, missing });
    expect(sentenceOf(record)).toMatch(/reached\. One\. Two\. Three\. 2 more things are missing\.$/);
    expect(reportHtml(summarise([record], 'a', '0'), [{ record, drawing: null }], [])).toContain('<li>Five.</li>');
  });
});

/** The custom properties of `:root` in a style, for a dark and for a light system. */
function tokensOf(css: string): { dark: Map<string, string>; light: Map<string, string> } {
  const [dark = '', light = ''] = css.split('@media (prefers-color-scheme: light)');
  const read = (part: string) =>
    new Map(
      [...(/:root\s*\{([^}]*)\}/.exec(part)?.[1] ?? '').matchAll(/(--[\w-]+):\s*([^;}]+)/g)].map(([, name = '', value = '']) => [
        name,
        value.trim(),
      ]),
    );
  return { dark: read(dark), light: read(light) };
}

describe('pictures of both ends of a run', () => {
  const state = (robotX: number, cubeX: number) =>
    ({
      rootPose: { position: [robotX, 0, 1] },
      things: [{ position: [cubeX, 2, 0.1] }],
      cameras: { topdown: { position: [0, 0, 7], orientation: [1, 0, 0, 0], verticalFovDeg: 60 } },
    }) as unknown as RenderState;
  const ends = (cameraId: string, cubeX = 1): RunEnds => ({
    place: { cameras: [{ id: cameraId }] } as unknown as RunEnds['place'],
    start: state(0, 1),
    end: state(-1, cubeX),
  });

  it('pictures of both ends of a run are taken from one place above, near enough to distinguish things and at most as high as the camera there', async () => {
    const orders: PictureOrder[] = [];
    const draw = async (_place: unknown, order: PictureOrder) => {
      orders.push(order);
      return { jpeg: Uint8Array.of(orders.length), sha256: '' };
    };
    expect(await drawEnds({ draw }, ends('topdown'))).toEqual({ ok: true, start: Uint8Array.of(1), end: Uint8Array.of(2) });
    const views = orders.map(({ renderState, camera }) => renderState.cameras[camera]);
    expect(views[0]).toEqual(views[1]);
    const [x, y, z] = views[0]?.position ?? [0, 0, 0];
    expect([x, y]).toEqual([0, 1]);
    // Four metres from edge to edge fit into 60 degrees.
    expect(z).toBeCloseTo(4 / 2 / Math.tan(Math.PI / 6));
    await drawEnds({ draw }, ends('topdown', 40));
    expect(orders.at(-1)?.renderState.cameras.report?.position[2]).toBe(7);
    await drawEnds({ draw }, ends('corner'));
    expect(orders.at(-1)?.camera).toBe('pov');
  });

  it('pictures that cannot be taken are a sentence in the record and in the report', async () => {
    const draw = () => Promise.reject(new SentenceError('The cameras are closed.'));
    const drawn = await drawEnds({ draw }, ends('topdown'));
    expect(drawn).toEqual({ ok: false, reason: 'The cameras are closed.' });
    const record = recordOf({ no_pictures: 'The cameras are closed.' });
    expect(reportHtml(summarise([record], 'a', '0'), [{ record, drawing: null }], [])).toContain(
      'No pictures: The cameras are closed.',
    );
  });
});

describe('the folder of the results', () => {
  let dir: string;
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'simplesim-results-'));
  });
  afterEach(() => rmSync(dir, { recursive: true, force: true }));

  it('the folder is for one evaluation: two that begin at once do not mix, and nothing is overwritten', async () => {
    const begun = await Promise.allSettled([openResults(join(dir, 'new')), openResults(join(dir, 'new'))]);
    expect(begun.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await expect(openResults(join(dir, 'new'))).rejects.toThrow(/not empty.*--out/);
  });

  it('a folder that cannot be made is rejected with the remedy, and nothing is left behind', async () => {
    writeFileSync(join(dir, 'file'), 'mine');
    for (const [path, why] of [
      ['file', 'a file has this name'],
      ['file/in/it', 'a part of the path is a file'],
      [`new/${'x'.repeat(300)}`, 'the name is too long'],
      ['new\0', 'the system refuses it'],
    ] as const)
      await expect(openResults(join(dir, path)), path).rejects.toThrow(
        new RegExp(`^The folder .* cannot be used for the results \\(\\w+\\): ${why}.*--out\\.$`),
      );
    expect(readFileSync(join(dir, 'file'), 'utf8')).toBe('mine');
    expect(readdirSync(dir)).not.toContain('proofs');
  });

  it('the folder closes with the last lines of a failed agent in JUnit, without colours and bounded', async () => {
    const results = await openResults(dir);
    mkdirSync(join(dir, 'output'));
    writeFileSync(join(dir, 'output/a.txt'), `${'x'.repeat(5_000)}\n${'line\n'.repeat(100)}\u001b[31mTraceback\u001b[0m\n`);
    const failed = recordOf({ outcome: 'failed', output_file: 'output/a.txt' });
    await results.add({ record: failed, proof: null, drawing: null, ends: null });
    await results.close(summarise([failed], 'a', '0'), []);
    const [, tail = ''] = /<system-out>([^<]*)<\/system-out>/.exec(readFileSync(join(dir, 'junit.xml'), 'utf8')) ?? [];
    expect(tail.split('\n')).toEqual([...Array.from({ length: 39 }, () => 'line'), 'Traceback']);
  });

  it('the folder has each run as soon as it is made', async () => {
    const results = await openResults(dir);
    await results.add({ record: recordOf({ proof_file: 'proofs/take-one-1.json' }), proof: '{}\n', drawing: null, ends: null });
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
      sceneTexts: new Map(),
      seeds: [4, 5],
      robot: 'humanoid',
      wording: 'default',
      adaptive: null,
      jobs: 1,
      isOver: () => false,
      async makeRun(planned) {
        runs.push(`${planned.task.id}${planned.seed}`);
        const outcome = outcomeOf(planned) as 'passed';
        return {
          record: recordOf({ task: planned.task.id, seed: planned.seed, outcome }),
          proof: null,
          drawing: null,
          ends: null,
        };
      },
      whyNotTrue: async () => null,
      onFinished: async () => undefined,
      ...options,
    });
    return runs;
  };

  it('tasks take turns, also if several run at a time', async () => {
    expect(await made({})).toEqual(['a4', 'b4', 'a5', 'b5']);
    expect(new Set(await made({ jobs: 3 }))).toEqual(new Set(['a4', 'b4', 'a5', 'b5']));
  });

  it('adaptive: continues with new seeds until each interval is narrow, up to a number, and gives up on a task that cannot run', async () => {
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

  it('a run whose proof is not true is an error, whatever its judgement, and the others count', async () => {
    const records: RunRecord[] = [];
    await made({
      makeRun: async ({ task, seed }) => ({
        record: recordOf({ task: task.id, seed }),
        proof: `${task.id}${seed}`,
        drawing: null,
        ends: null,
      }),
      whyNotTrue: async (proof) => (proof === 'a5' ? 'It is false.' : null),
      onFinished: async ({ record }) => void records.push(record),
    });
    expect(records.map(({ task, seed, outcome, reason }) => `${task}${seed} ${outcome} ${reason}`)).toEqual([
      'a4 passed goal_reached',
      'b4 passed goal_reached',
      'a5 error It is false.',
      'b5 passed goal_reached',
    ]);
  });

  it('the next run is made while the proof of the last one is verified', async () => {
    const order: string[] = [];
    let verify = (): void => undefined;
    const second = new Promise<null>((resolve) => {
      verify = () => resolve(null);
    });
    await made({
      async makeRun({ task, seed }) {
        order.push(`run ${task.id}${seed}`);
        if (order.length === 2) verify();
        return { record: recordOf({ task: task.id, seed }), proof: `${task.id}${seed}`, drawing: null, ends: null };
      },
      whyNotTrue: async (proof) => (proof === 'a4' ? second : null),
      onFinished: async ({ record }) => void order.push(`finished ${record.task}${record.seed}`),
    });
    expect(order.slice(0, 3)).toEqual(['run a4', 'run b4', 'finished a4']);
  });

  it('no run begins once the evaluation is over', async () => {
    const asked = [true, true, true];
    expect(await made({ isOver: () => asked.pop() === undefined })).toHaveLength(3);
  });
});
