/** Every target of a link in the documents is there. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { anchorOf } from '../../scripts/vite/manual.ts';

const ROOT = join(import.meta.dirname, '../..');
const DOCUMENTS = [
  'README.md',
  'CONTRIBUTING.md',
  'examples/README.md',
  'clients/python/README.md',
  ...readdirSync(join(ROOT, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];
/** Made by a command, and never in the repository. */
const MADE = ['deploy/secrets'];
const FOLDERS = ['clients', 'deploy', 'docs', 'examples', 'lab', 'scripts', 'src', 'tests'];

const textOf = (document: string): string => readFileSync(join(ROOT, document), 'utf8');
/** Without blocks of code, in which brackets are no links. */
const proseOf = (document: string): string => textOf(document).replace(/^```[\s\S]*?^```$/gm, '');

const anchorsOf = (document: string): string[] =>
  [...proseOf(document).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => anchorOf(heading));

/** The links of a document to files of the repository that lead nowhere. */
function deadLinks(document: string): string[] {
  const links = [...proseOf(document).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
  return links.filter((link) => {
    if (/^[a-z]+:/.test(link)) return false;
    const [path = '', anchor] = link.split('#');
    const file = path === '' ? document : join(dirname(document), decodeURIComponent(path));
    if (!existsSync(join(ROOT, file))) return true;
    return anchor !== undefined && !anchorsOf(file).includes(anchor);
  });
}

/** Paths in code quotes that name no file or folder; what has a placeholder in it is none. */
function missingPaths(document: string): string[] {
  const quoted = [...proseOf(document).matchAll(/`([^`\n]+)`/g)].map(([, text = '']) => text);
  return quoted.filter(
    (text) =>
      new RegExp(`^(?:${FOLDERS.join('|')})/[\\w./-]+$`).test(text) &&
      !MADE.includes(text) &&
      !existsSync(join(ROOT, text.replace(/\/$/, ''))),
  );
}

describe.each(DOCUMENTS)('%s', (document) => {
  it('has links that lead to a file, and to a heading in it', () => expect(deadLinks(document)).toEqual([]));

  it('names files of the repository that are there', () => expect(missingPaths(document)).toEqual([]));
});

it('docs/dependencies.md names every dependency, and no package that is not installed', () => {
  const { dependencies, devDependencies } = JSON.parse(textOf('package.json')) as Record<string, Record<string, string>>;
  const rows = textOf('docs/dependencies.md').match(/^\| `.+?\|/gm) ?? [];
  const named = rows.flatMap((row) => [...row.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name));
  expect(Object.keys(dependencies ?? {}).filter((name) => !named.includes(name))).toEqual([]);
  expect(named.filter((name) => !(name in { ...dependencies, ...devDependencies }))).toEqual([]);
});

it('every page of docs/ is listed in docs/README.md', () => {
  const index = textOf('docs/README.md');
  const missing = readdirSync(join(ROOT, 'docs')).filter((name) => /\.(?:md|txt)$/.test(name) && name !== 'README.md');
  expect(missing.filter((name) => !index.includes(`(${name})`))).toEqual([]);
});
