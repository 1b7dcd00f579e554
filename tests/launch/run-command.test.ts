import { afterEach, expect, it, vi } from 'vitest';
import { runCommand } from '../../src/launch/run-command.ts';

afterEach(() => vi.restoreAllMocks());

const failing = (code: string) => () => Promise.reject(Object.assign(new Error(`${code}: open '/a/file.ts'`), { code }));

it.each(['EMFILE', 'ENFILE'])('a command that may open too few files reports it in a sentence: %s', async (code) => {
  const exit = vi.spyOn(process, 'exit').mockImplementation((() => undefined) as never);
  const said = vi.spyOn(console, 'error').mockImplementation(() => {});
  await runCommand(failing(code));
  expect(said.mock.calls).toEqual([[`Too many files are open (${code}). Raise the limit (ulimit -n 1024), then start again.`]]);
  expect(exit.mock.calls).toEqual([[1]]);
});

it('any other fault is not hidden', async () => {
  await expect(runCommand(failing('ENOENT'))).rejects.toThrow('ENOENT');
});
