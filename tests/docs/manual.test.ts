/** The manual that the page brings: every document is a page, and every link in it leads somewhere. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { manualFiles } from '../../scripts/vite/manual.ts';

const ROOT = join(import.meta.dirname, '../..');
const FILES = manualFiles();
const PAGES = [...FILES.keys()].filter((name) => name.endsWith('.html'));
const textOf = (name: string): string => String(FILES.get(name) ?? '');
const all = (name: string, pattern: RegExp): string[] => [...textOf(name).matchAll(pattern)].map(([, found = '']) => found);

it('has a page for every document, and one to begin with', () => {
  const documents = readdirSync(join(ROOT, 'docs')).filter((name) => name.endsWith('.md') && name !== 'README.md');
  expect(PAGES.toSorted()).toEqual(
    [...documents.map((name) => name.replace(/md$/, 'html')), 'CONTRIBUTING.html', 'README.html', 'index.html'].toSorted(),
  );
});

describe.each(PAGES)('%s', (name) => {
  it('leads to pages and headings that are there', () => {
    const dead = [...all(name, /<a href="([^"]*)"/g), ...all(name, /<img src="([^"]*)"/g)].filter((href) => {
      if (/^(?:https?:|\.\.\/$)/.test(href)) return false;
      const [path = '', anchor] = href.split('#');
      const file = path === '' ? name : path === './' ? 'index.html' : path;
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
    expect(markdown).toBe(name.replace(/html$/, 'md'));
    const prose = textOf(markdown).replaceAll(/^```[\s\S]*?^```|`[^`\n]+`/gm, 'code');
    const hrefs = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, href = '']) => (/^(?:https?:|#)/.test(href) ? [] : [href]));
    expect(hrefs.filter((href) => !FILES.has(href.replace(/#.*/, '')))).toEqual([]);
    expect(hrefs.filter((href) => /\.html(?:#|$)/.test(href))).toEqual([]);
  });
});

it('shows every picture of a document', () => {
  expect(PAGES.filter((name) => textOf(name).includes('<img src=""'))).toEqual([]);
});

it('leaves what looks like a link in code as it is', () => {
  const code = /^```[\s\S]*?^```/gm;
  expect(textOf('python.md').match(code)).toEqual(readFileSync(join(ROOT, 'docs/python.md'), 'utf8').match(code));
});
