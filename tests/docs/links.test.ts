/** Links and paths of the documents lead to existing files and headings. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { MANUAL_PAGES, REFERENCE, REFERENCE_DIR } from '../../scripts/docs/pages.ts';
import { anchorOf } from '../../scripts/vite/manual/markdown.ts';

const ROOT = join(import.meta.dirname, '../..');
const DOCUMENTS = [
  'README.md',
  'CONTRIBUTING.md',
  'examples/README.md',
  'clients/python/README.md',
  'CHANGELOG.md',
  ...['docs', 'docs/reference'].flatMap((folder) =>
    readdirSync(join(ROOT, folder))
      .filter((name) => name.endsWith('.md'))
      .map((name) => `${folder}/${name}`),
  ),
];
/** A command makes it; the repository never has it. */
const MADE = /^deploy\/secrets(?:\/|$)/;
const FOLDERS = ['clients', 'deploy', 'docs', 'examples', 'lab', 'scripts', 'src', 'tests'];

const textOf = (document: string): string => readFileSync(join(ROOT, document), 'utf8');
/** Leaves out blocks of code, where brackets are not links. */
const proseOf = (document: string): string => textOf(document).replace(/^```[\s\S]*?^```$/gm, '');

const anchorsOf = (document: string): string[] =>
  [...proseOf(document).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => anchorOf(heading));

/** Returns the links of a document to missing files or headings. */
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

/** Returns paths in code quotes without a file or folder. A path with a placeholder does not match. */
function missingPaths(document: string): string[] {
  const quoted = [...proseOf(document).matchAll(/`([^`\n]+)`/g)].map(([, text = '']) => text);
  return quoted.filter(
    (text) =>
      new RegExp(`^(?:${FOLDERS.join('|')})/[\\w./-]+$`).test(text) &&
      !MADE.test(text) &&
      !existsSync(join(ROOT, text.replace(/\/$/, ''))),
  );
}

describe.each(DOCUMENTS)('%s', (document) => {
  it('has links to existing files and headings', () => expect(deadLinks(document)).toEqual([]));

  it('names existing files of the repository', () => expect(missingPaths(document)).toEqual([]));
});

it('the page of dependencies names every dependency, and only installed packages', () => {
  const { dependencies, devDependencies } = JSON.parse(textOf('package.json')) as Record<string, Record<string, string>>;
  const rows = textOf('docs/reference/dependencies.md').match(/^\| `.+?\|/gm) ?? [];
  const named = rows.flatMap((row) => [...row.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name));
  expect(Object.keys(dependencies ?? {}).filter((name) => !named.includes(name))).toEqual([]);
  expect(named.filter((name) => !(name in { ...dependencies, ...devDependencies }))).toEqual([]);
});

it('the list of pages names every file of the manual', () => {
  const written = readdirSync(join(ROOT, 'docs')).filter((name) => name.endsWith('.md') && name !== 'README.md');
  const made = readdirSync(join(ROOT, REFERENCE_DIR)).filter((name) => /\.(?:md|txt)$/.test(name));
  expect(written.map((name) => `docs/${name}`).filter((file) => !MANUAL_PAGES.some((page) => page.file === file))).toEqual([]);
  expect(made.filter((name) => !(name in REFERENCE))).toEqual([]);
});
