/** The manual beside the page: every document is a page, and every link leads to a file. */
import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { budgetProblems, MANUAL_PAGES, REFERENCE } from '../../scripts/docs/pages.ts';
import { manualFiles } from '../../scripts/vite/manual.ts';

const ROOT = join(import.meta.dirname, '../..');
const FILES = manualFiles();
const PAGES = [...FILES.keys()].filter((name) => name.endsWith('.html'));
const textOf = (name: string): string => String(FILES.get(name) ?? '');
const all = (name: string, pattern: RegExp): string[] => [...textOf(name).matchAll(pattern)].map(([, found = '']) => found);

it('has a page for every document of the list, and an index', () => {
  const reference = Object.keys(REFERENCE).filter((name) => name.endsWith('.md'));
  const documents = [
    ...MANUAL_PAGES.map(({ file }) => file.replace(/^docs\//, '')),
    ...reference.map((name) => `reference/${name}`),
  ];
  expect(PAGES.toSorted()).toEqual(
    [...documents.map((name) => name.replace(/md$/, 'html')), 'CHANGELOG.html', 'index.html'].toSorted(),
  );
});

it('stays within its budgets of words', () => {
  expect(budgetProblems((file) => readFileSync(join(ROOT, file), 'utf8'))).toEqual([]);
});

it('reports a page and a manual with too many words', () => {
  const long = 'word '.repeat(2_600);
  const problems = budgetProblems(() => `# Title\n\n\`\`\`ts\n${long}\n\`\`\`\n\n${long}`);
  expect(problems).toHaveLength(MANUAL_PAGES.length + 1);
  expect(problems[0]).toMatch(/^README\.md has 2602 words; its budget is \d+ /);
});

describe.each(PAGES)('%s', (name) => {
  it('leads to pages and headings that are there', () => {
    const dead = [...all(name, /<a (?:rel="\w+" )?href="([^"]*)"/g), ...all(name, /<img src="([^"]*)"/g)].filter((href) => {
      if (/^https?:/.test(href)) return false;
      const [path = '', anchor] = href.split('#');
      const target = path === '' ? name : posix.join(posix.dirname(name), path);
      if (target === '../') return false;
      const file = target === './' ? 'index.html' : target;
      if (!FILES.has(file)) return true;
      return anchor !== undefined && !textOf(file).includes(` id="${anchor}"`);
    });
    expect(dead).toEqual([]);
  });

  it('runs nothing, and shows what looks like a tag as text', () => {
    const text = textOf(name);
    expect(text).toMatch(/<title>[^<]+ · SimpleSim<\/title>/);
    expect(text).not.toMatch(/<script|<simple-sim|<!-- |\son\w+="/);
    expect(text).not.toMatch(/<a href="[^"]*\.md["#]/);
  });

  it('names the same page as Markdown, whose links lead to files that are there', () => {
    const [markdown = ''] = all(name, /<link rel="alternate" type="text\/markdown" href="([^"]*)">/g);
    expect(markdown).toBe(posix.basename(name.replace(/html$/, 'md')));
    const prose = textOf(posix.join(posix.dirname(name), markdown)).replaceAll(/^```[\s\S]*?^```|`[^`\n]+`/gm, 'code');
    const hrefs = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, href = '']) => (/^(?:https?:|#)/.test(href) ? [] : [href]));
    expect(hrefs.filter((href) => !FILES.has(posix.join(posix.dirname(name), href.replace(/#.*/, ''))))).toEqual([]);
    expect(hrefs.filter((href) => /\.html(?:#|$)/.test(href))).toEqual([]);
  });
});

it('shows every picture of a document', () => {
  expect(PAGES.filter((name) => textOf(name).includes('<img src=""'))).toEqual([]);
});

it('leaves what looks like a link in code as it is', () => {
  const code = /^```[\s\S]*?^```/gm;
  expect(textOf('libraries.md').match(code)).toEqual(readFileSync(join(ROOT, 'docs/libraries.md'), 'utf8').match(code));
});

it('shows a program in both languages as a pair, and lets readers choose one', () => {
  const page = textOf('libraries.html');
  const pairs =
    /<div class="pair" [^>]*><div class="ts"><pre tabindex="0"><code class="language-ts">[\s\S]*?<div class="python"><pre/g;
  expect(page.match(pairs)?.length).toBeGreaterThan(3);
  expect(page.match(/<input type="radio" name="language"/g)).toHaveLength(3);
  expect(textOf('deploy.html')).not.toContain('name="language"');
});

it('marks the page in the navigation, and leads to the previous and the next page', () => {
  const page = textOf('tutorial.html');
  expect(page.match(/aria-current="page"/g)).toHaveLength(1);
  expect(page).toContain('<a href="tutorial.html" aria-current="page">Tutorial</a>');
  expect(page).toContain('<a rel="prev" href="README.html">Previous: README</a>');
  expect(page).toContain('<a rel="next" href="concepts.html">Next: Concepts</a>');
  expect(textOf('reference/skills.html')).toContain('<a href="../tutorial.html">Tutorial</a>');
});

it('leaves out the note for editors of a generated document', () => {
  expect(PAGES.filter((name) => textOf(name).includes('do not edit by hand'))).toEqual([]);
  expect(textOf('reference/skills.md')).toContain('do not edit by hand');
});

it('gives every heading of a page an address of its own', () => {
  const doubled = PAGES.flatMap((name) => {
    const ids = all(name, / id="([^"]*)"/g);
    return ids.filter((id, at) => ids.indexOf(id) !== at).map((id) => `${name}#${id}`);
  });
  expect(doubled).toEqual([]);
});
