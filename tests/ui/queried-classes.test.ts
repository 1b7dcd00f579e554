/** Code that looks for an element by its class finds one: the class exists in the markup of a page. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const ROOT_DIR = join(import.meta.dirname, '../..');
const VIEWER_DIR = join(ROOT_DIR, 'src/viewer');

const sources = readdirSync(VIEWER_DIR, { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.tsx?$/.test(path))
  .map((path) => ({ path, text: readFileSync(join(VIEWER_DIR, path), 'utf8') }));
const pages = readdirSync(ROOT_DIR).filter((name) => name.endsWith('.html'));

/** Words of texts in which classes are given. */
const given = new Set(
  [
    ...sources.flatMap(({ text }) => [
      ...text.matchAll(/class(?:Name|List)?(?:=|: |\.\w+\(| = )\{?([^\n]*)/g),
      ...text.matchAll(/^\s*[?:] (['"`][^\n]*)/gm),
    ]),
    ...pages.flatMap((name) => [...readFileSync(join(ROOT_DIR, name), 'utf8').matchAll(/class="([^"]*)"/g)]),
  ].flatMap(([, value = '']) => value.match(/[a-z][\w-]+/g) ?? []),
);

it('every class that code looks for is given to an element', () => {
  const asked = sources.flatMap(({ path, text }) =>
    [...text.matchAll(/\.(?:closest|matches|querySelector(?:All)?)(?:<[^>]*>)?\(\s*['"`]([^'"`]*)/g)].flatMap(
      ([, selector = '']) => [...selector.matchAll(/\.([a-z][\w-]*)/g)].map(([, name = '']) => ({ path, name })),
    ),
  );
  expect(asked.length).toBeGreaterThan(5);
  expect(asked.filter(({ name }) => !given.has(name))).toEqual([]);
});
