/** `npm run simplesim -- eval` as a command: real platforms, real programs as agents. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT_DIR } from '../../../scripts/compiled.mjs';
import { verifyFile } from '../../../src/headless/verify-file.ts';
import { waitUntil } from '../../launch/helpers/processes.ts';
import { dir, startEval, TAKE_ONE } from './evaluation.ts';
import { startStandIn } from './stand-in-model.ts';

/** Processes that this test has started, identified by a word in their environment. */
const present = (): string[] =>
  readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`WORD=${dir}`);
    } catch {
      return false;
    }
  });
const leftFolders = (): string[] => readdirSync(dir).filter((name) => name.startsWith('simplesim-eval-'));

describe('an agent that is a program', () => {
  it('an agent with a language model does a task with its tools, beside another evaluation whose agent gives up', async () => {
    const cube = (content: string | null): string => {
      const entities = Object.values(JSON.parse(content ?? '{}') as Record<string, { entity_id: string; kind: string }>);
      return entities.find(({ kind }) => kind === 'cube')?.entity_id ?? '';
    };
    let id = '';
    const model = await startStandIn([
      () => ({ status: 429 }),
      () => ({ say: 'I look around.', use: [['read_scene', {}]] }),
      ({ messages }) => {
        id = cube(messages.at(-1)?.content ?? null);
        return {
          use: [
            ['go_to', '{"target": '],
            ['fly_to', {}],
            ['go_to', { target: { kind: 'entity', entity_id: id } }],
          ],
        };
      },
      () => ({ use: [['pick_entity', { target: { kind: 'entity', entity_id: id } }]] }),
      () => ({ say: 'Done.' }),
    ]);
    const withModel = startEval(
      'model',
      [TAKE_ONE, '--seeds', '1', '--agent', 'npx tsx examples/agents/llm-agent.ts', '--min-success', '1'],
      { OPENAI_BASE_URL: model.baseUrl, OPENAI_API_KEY: 'sk-for-the-stand-in', OPENAI_MODEL: 'stand-in' },
    );
    const quitter = startEval('quitter', [
      TAKE_ONE,
      '--seeds',
      '1..2',
      '--agent',
      'echo "$SIMPLESIM_TASK"; env; echo "key $(printf %s "$PLATFORM_API_KEY" | sha256sum)"; exit 3',
      '--min-success',
      '0.5',
    ]);
    const [one, other] = await Promise.all([withModel.ended, quitter.ended]);
    await model.close();

    expect(one.code, one.said).toBe(0);
    expect(withModel.records()).toMatchObject([{ outcome: 'passed', calls: 2, agent: { end: 'exited', exit_code: 0 } }]);
    expect(await verifyFile(join(withModel.out, 'proofs/take-one-1.json'))).toMatchObject({ is: 'true' });
    const said = model.requests.at(-1)?.messages.map(({ content }) => content ?? '') ?? [];
    expect(said[1]).toBe('Take any cube from the table and hold it.');
    expect(said.some((content) => content.includes('There is no tool "fly_to"'))).toBe(true);
    expect(said.some((content) => content.startsWith('error: ') && content.includes('JSON'))).toBe(true);
    expect(model.requests[0]?.tools.map((tool) => tool.function.name)).toEqual(
      expect.arrayContaining(['read_scene', 'go_to', 'pick_entity', 'place_entity']),
    );
    expect(new Set(model.keys)).toEqual(new Set(['Bearer sk-for-the-stand-in']));

    expect(other.code, other.said).toBe(3);
    expect(other.said).toContain('0 % is less than --min-success 0.5');
    expect(other.said).toMatch(/The agent ended with 3: "key \w+\W*"\. Its output is in /);
    expect(other.said).toContain(`Its output is in ${join(quitter.out, 'output/take-one-1.txt')}.`);
    expect(other.said).toContain('The agent could not run: in every run it ended with an error before its first action.');
    expect(quitter.records()).toMatchObject(
      [1, 2].map((seed) => ({ seed, outcome: 'failed', reason: 'not_reached', agent: { exit_code: 3 } })),
    );
    const output = readFileSync(join(quitter.out, 'output/take-one-1.txt'), 'utf8');
    expect(output).toContain('Take any cube from the table and hold it.');
    // Each run has an account of its own, so that no agent reaches a neighbour's robot.
    const keys = ['take-one-1', 'take-one-2'].map(
      (run) => /^key (\w{64})/m.exec(readFileSync(join(quitter.out, `output/${run}.txt`), 'utf8'))?.[1],
    );
    expect(keys).not.toContain(undefined);
    expect(new Set(keys).size).toBe(2);
    // Its input contains nothing about goal or judge, and its keys are masked.
    expect(output).not.toMatch(/"kind"|predicate|goal/);
    expect(output).toMatch(/PLATFORM_API_KEY=<secret>/);
    expect(output).toMatch(/SIMPLESIM_ROOM_KEY=<secret>/);
    for (const file of ['summary.json', 'junit.xml', 'report.html']) expect(readdirSync(quitter.out)).toContain(file);
    expect(leftFolders()).toEqual([]);
  });

  it.runIf(process.platform === 'linux')(
    'an early end leaves nothing behind: the results are written, without processes or folders',
    async () => {
      const stopped = startEval('stopped', [
        TAKE_ONE,
        '--seeds',
        '1..3',
        '--agent',
        'touch $WORD/runs; setsid sleep 1000 & sleep 1000',
      ]);
      await waitUntil(async () => existsSync(join(dir, 'runs')), 'the agent to run', 120_000);
      // One Ctrl-C may arrive several times.
      for (const signal of ['SIGINT', 'SIGTERM'] as const) stopped.child.kill(signal);
      const { code, said } = await stopped.ended;
      expect(code, said).toBe(3);
      expect(stopped.records()).toMatchObject([{ outcome: 'error', reason: 'The evaluation was ended during this run.' }]);
      expect(readdirSync(stopped.out)).toContain('report.html');
      expect([present(), leftFolders()]).toEqual([[], []]);
    },
  );

  it.runIf(process.platform === 'linux')('an evaluation that is killed ends its agent and its SFU', async () => {
    const killed = startEval('killed', [TAKE_ONE, '--seeds', '1', '--agent', 'touch $WORD/runs; setsid sleep 1000 & sleep 1000']);
    await waitUntil(async () => existsSync(join(dir, 'runs')), 'the agent to run', 120_000);
    killed.child.kill('SIGKILL');
    await waitUntil(async () => present().length === 0, 'everything to end', 30_000);
  });

  it('a missing agent program gives no result and an error', async () => {
    const missing = startEval('missing', [TAKE_ONE, '--seeds', '1', '--agent', 'planer']);
    const { code, said } = await missing.ended;
    expect(code).toBe(3);
    expect(said).toContain('there is no command "planer". Did you mean planner?');
    expect(said).toContain('take-one: 0 of 0, –\n');
    expect(missing.records()).toMatchObject([{ outcome: 'error', agent: { end: 'not_started' } }]);
  });
});

it('wrong arguments end with 2 and a sentence, before anything is started', async () => {
  const cases: [string[], RegExp][] = [
    [[], /Name a task file/],
    [[TAKE_ONE], /--agent is missing/],
    [[join(ROOT_DIR, 'package.json'), '--agent', 'planner'], /package\.json/],
    [[join(ROOT_DIR, 'deploy'), '--agent', 'planner'], /no file in this folder ends in \.json/],
    [
      [join(ROOT_DIR, 'tasks'), '--agent', 'planner', '--compare', 'nowhere.json'],
      /--compare nowhere\.json: it cannot be read \(ENOENT\)\./,
    ],
    [[TAKE_ONE, '--agent', 'planner', '--seeds', '5..1'], /must not be smaller/],
    [[TAKE_ONE, '--agent', 'planner', '--seeds', '1,1'], /twice/],
    [[TAKE_ONE, '--agent', 'planner', '--min-success', '80'], /from 0 to 1/],
    [[TAKE_ONE, '--agent', 'planner', '--compare', 'package.json'], /not a summary/],
    [[TAKE_ONE, '--agent', 'planner', '--robot', 'dog'], /no robot "dog"/],
    [[TAKE_ONE, '--agent', 'planner', '--points', '3'], /belong to --adaptive/],
  ];
  const ended = await Promise.all(cases.map(([args], at) => startEval(`wrong-${at}`, args).ended));
  for (const [at, { code, said }] of ended.entries()) {
    expect(said).toMatch(cases[at]?.[1] ?? /never/);
    expect(code).toBe(2);
  }
});
