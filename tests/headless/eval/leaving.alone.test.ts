/** Agents that end the robot of their run: each run counts, and is judged by the state of its world at that time. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { endByAgent } from '../../../src/headless/eval/robot-left.ts';
import type { PlannedRun } from '../../../src/headless/eval/run-record.ts';
import { verifyFile } from '../../../src/headless/verify-file.ts';
import { runAfterAgent } from '../../../src/launch/eval/run-after-agent.ts';
import { startEval, TAKE_ONE } from './evaluation.ts';

it('a run whose agent ends the robot is judged: passed if the goal is reached, otherwise failed', async () => {
  const agent = 'node --import @oxc-node/core/register tests/headless/eval/leaving-agent.ts';
  const leaving = startEval('leaving', [TAKE_ONE, '--seeds', '1..6', '--agent', agent]);
  const { code, said } = await leaving.ended;
  const records = leaving.records();
  expect(
    records.map(({ outcome, agent }) => [outcome, agent?.ended_robot]),
    said,
  ).toEqual([
    ['failed', 'session_deleted'],
    ['failed', 'session_deleted'],
    ['failed', 'taken_over'],
    ['failed', 'session_deleted'],
    ['failed', null],
    ['passed', expect.toBeOneOf([null, 'session_deleted'])],
  ]);
  expect(code, said).toBe(0);
  expect(said).toContain("The agent ended the robot's session.");
  expect(said).toContain("The agent took the robot's place in its room.");
  for (const { seed, verdict, agent, output_file: output, proof_file: proof } of records) {
    expect(verdict).not.toBeNull();
    expect(agent).toMatchObject({ end: 'exited', exit_code: seed === 5 ? 127 : 0 });
    expect(existsSync(join(leaving.out, output ?? ''))).toBe(true);
    expect(await verifyFile(join(leaving.out, proof ?? ''))).toMatchObject({ is: 'true' });
  }
  const junit = readFileSync(join(leaving.out, 'junit.xml'), 'utf8');
  expect(junit).toContain('failures="5" errors="0"');
  expect(readdirSync(join(leaving.out, 'output'))).toHaveLength(6);
});

it('an agent counts as ending a robot that leaves its room, unless this side has a fault or another SFU has come', () => {
  expect(endByAgent('session_deleted', true)).toBe('session_deleted');
  expect(endByAgent('removed', true)).toBe('removed');
  expect(endByAgent('taken_over', true)).toBe('taken_over');
  for (const end of ['refused', 'key_expired', 'wrong_robot', 'cannot_join', 'ended', 'broken'] as const)
    expect(endByAgent(end, true)).toBeNull();
  expect(endByAgent('session_deleted', false)).toBeNull();
});

it('a robot that breaks gives an error, which names the outcome of the agent', () => {
  const planned = { task: JSON.parse(readFileSync(TAKE_ONE, 'utf8')), seed: 1, robot: 'humanoid', wording: 'default' };
  const program = {
    end: 'told_to_end',
    exit_code: null,
    signal: 'SIGTERM',
    left_behind: 0,
    output_dropped: 0,
    error_line: null,
  } as const;
  const { record } = runAfterAgent(
    { ...planned, sceneFile: null } as PlannedRun,
    { run: () => null, left: () => 'broken', wasCalled: () => true, settle: () => undefined },
    { program, command: 'agent', outputFile: 'output/a.txt', sfuStayed: true, wallS: 1, endedEarly: false },
  );
  expect(record).toMatchObject({ outcome: 'error', agent: { ...program, ended_robot: null }, output_file: 'output/a.txt' });
  expect(record.reason).toBe('The robot of this run broke (broken).');
});
