/** Commands that texts tell people to run: none fetches a package by a name that is not published, which a stranger could take. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
/** Texts that tell readers what to run. The changelog and tests do not; texts of the package are read only after it is published. */
const FILES = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: ROOT, encoding: 'utf8' })
  .split('\n')
  .filter((file) => /\.(?:[cm]?[jt]sx?|py|md|txt|ya?ml|sh|toml|json)$/.test(file) && existsSync(join(ROOT, file)))
  .filter((file) => !/^(?:CHANGELOG\.md|package-lock\.json|tests\/|clients\/python\/tests\/|scripts\/package\/)/.test(file));

/** On PyPI, under these names. */
const ON_PYPI = ['cryptography', 'httpx', 'livekit', 'pyjwt', 'tqdm'];

const commands = (pattern: RegExp): [file: string, argument: string][] =>
  FILES.flatMap((file) =>
    [...readFileSync(join(ROOT, file), 'utf8').matchAll(pattern)].map(([, argument = '']): [string, string] => [file, argument]),
  );
/** The packages of a command, up to its end: a closing mark, a full stop, or a word that is no package. */
function packagesIn(command: string): string[] {
  const [line = ''] = command.split(/[`)]|[.,;](?:\s|$)/);
  const words = line.split(/\s+/).filter((word) => word !== '' && !word.startsWith('-'));
  const end = words.findIndex((word) => !/^["']?[\w./\\-]+(?:\[[\w,\\]+\])?["']*$/.test(word));
  return (end < 0 ? words : words.slice(0, end)).map((word) => word.replaceAll(/["'\\]|\[.*$/g, ''));
}

it('npx is told to run only programs that `npm ci` has installed', () => {
  const programs = commands(/\bnpx (?:-\S+ )*([\w@][\w@/.-]*)/g);
  expect(programs.length).toBeGreaterThan(10);
  expect(programs.filter(([, name]) => !existsSync(join(ROOT, 'node_modules/.bin', name)))).toEqual([]);
});

it('pip is told to install only folders of the clone, and packages that are published', () => {
  const installs = commands(/\bpip install ([^\n]+)/g).flatMap(([file, line]) => packagesIn(line).map((name) => [file, name]));
  expect(installs.length).toBeGreaterThan(10);
  expect(installs.filter(([, name = '']) => !name.startsWith('./clients/python') && !ON_PYPI.includes(name))).toEqual([]);
});
