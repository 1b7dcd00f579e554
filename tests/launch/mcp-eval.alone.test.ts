/** `npm run simplesim -- eval --agent mcp:…`: an agent that is a client of the Model Context Protocol. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { dir, startEval } from '../headless/eval/evaluation.ts';

const TASK = 'tasks/fetch/hall-hold-blue.json';

/** Returns the settings that the run has set; the agent inherits the others from the person who evaluates. */
const ofRun = (names: string[]): string =>
  names
    .filter((name) => process.env[name] === undefined)
    .toSorted()
    .join();

it('judges an MCP client, which gets the task, its clock and a file with the server of its tools, and nothing else', async () => {
  const paced = join(dir, 'paced.json');
  writeFileSync(paced, JSON.stringify({ ...JSON.parse(readFileSync(TASK, 'utf8')), time: 'on_action' }));
  const env = { PLATFORM_API_KEY: 'sk_live_of_the_user', SIMPLESIM_ROOM_KEY: 'k1~of~the-user' };
  const agent = 'mcp:npx tsx tests/launch/mcp-client-agent.ts';
  const [evaluation, missing] = [
    startEval('client', [paced, '--seeds', '1', '--agent', agent, '--min-success', '1'], env),
    startEval('missing', [TASK, '--seeds', '1', '--agent', 'mcp:clade -p']),
  ];
  const { code, said } = await evaluation.ended;
  expect(code, said).toBe(0);
  expect(evaluation.records()).toMatchObject([{ outcome: 'passed', agent: { end: 'exited', exit_code: 0 } }]);
  const output = readFileSync(join(evaluation.out, 'output/hall-hold-blue-1.txt'), 'utf8');
  expect(JSON.parse(output.split('\n')[0] ?? '')).toEqual({
    ...{ sameTask: true, clock: 'action', exam: true, restarted: 'PERMISSION_DENIED', picked: 'done', mode: '600', hidden: true },
    names: expect.toSatisfy((names: string[]) => ofRun(names) === 'SIMPLESIM_MCP_CONFIG,SIMPLESIM_RUN,SIMPLESIM_TASK'),
  });
  // The key in the printed file is masked, and the file is gone.
  expect(output).toContain('<token>');
  expect(output).not.toMatch(/eyJ[\w-]{20}/);
  expect(readdirSync(join(evaluation.out, 'output'))).toEqual(['hall-hold-blue-1.txt']);

  const ended = await missing.ended;
  expect(ended.code).toBe(3);
  expect(ended.said).toContain('there is no command "clade"');
  expect(missing.records()).toMatchObject([{ outcome: 'error', agent: { end: 'not_started' } }]);
  expect(readdirSync(dir).filter((name) => name.startsWith('simplesim-eval-'))).toEqual([]);
}, 240_000);
