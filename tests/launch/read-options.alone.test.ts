import { describe, expect, it } from 'vitest';
import { readEvalArgs } from '../../src/launch/eval/eval-args.ts';
import { readHeadlessArgs } from '../../src/launch/headless-args.ts';
import { readOptions } from '../../src/launch/read-options.ts';
import { readServiceArgs } from '../../src/launch/service-args.ts';
import { readStartArgs } from '../../src/launch/start-args.ts';
import { readWorkerArgs } from '../../src/launch/worker-args.ts';

const OPTIONS = { agent: { type: 'string' }, out: { type: 'string' }, json: { type: 'boolean' } } as const;
const read = (...args: string[]) => readOptions(args, OPTIONS, { command: 'npm run it --', positionalsMax: 1 });

describe('the arguments of a command', () => {
  it.each([
    [['--agnt', 'planner'], 'There is no option --agnt. Did you mean --agent?'],
    [['--AGENT', 'planner'], 'There is no option --AGENT. Did you mean --agent?'],
    [['--colour', 'red'], 'There is no option --colour.'],
    [['--constructor', 'a'], 'There is no option --constructor.'],
    [['-x'], 'There is no option -x.'],
    [[`--${'k1~secret'.repeat(9)}`], 'There is no option ….'],
    [['--agent'], '--agent needs a value.'],
    [['--agent', '--json'], '--agent needs a value. If the value begins with "-", write --agent=VALUE.'],
    [['--json=yes'], '--json takes no value.'],
    [['one', 'two'], 'The argument "two" is one too many.'],
    [['one', `k1~${'x'.repeat(60)}`], 'The argument "…" is one too many.'],
  ])('the arguments %j are rejected with what is wrong and where the help is', (args, sentence) => {
    expect(() => read(...args)).toThrow(new RegExp(`^${sentence.replace(/[.?]/g, '\\$&')}\nSee: npm run it -- --help$`));
  });

  it('the arguments of a command are returned if the command accepts them', () => {
    const { values, positionals } = read('one', '--agent=-x', '--json', '--out', '-');
    expect({ ...values }).toEqual({ agent: '-x', json: true, out: '-' });
    expect(positionals).toEqual(['one']);
    expect(read('--', '--agnt').positionals).toEqual(['--agnt']);
  });

  it.each([
    ['npm run simplesim -- eval', () => readEvalArgs(['a.json', '--agnt', 'planner'])],
    ['npm run headless --', () => readHeadlessArgs(['--sede', '1'])],
    ['npm start --', () => readStartArgs(['--port'])],
    ['npm run worker --', () => readWorkerArgs(['--nam', 'a'])],
    ['npm run service --', () => readServiceArgs(['serve', '--prt', '1'])],
  ])('arguments have one reader in all commands: %s', (command, readWrong) => {
    expect(readWrong).toThrow(/^There is no option --\w+\..*\nSee: /);
    expect(readWrong).toThrow(`See: ${command} --help`);
  });
});
