/** A page of the manual: its text, and the links to the other pages around it. */
import { posix } from 'node:path';
import { MANUAL_PAGES, MANUAL_PARTS, REFERENCE, REFERENCE_DIR } from '../../docs/pages.ts';
import { hrefIn, INDEX, markdownName, titleOf } from './documents.ts';
import { escaped } from './escaped.ts';
import { type Rendered, rendered } from './markdown.ts';

/** A page with fewer sections needs no list of them. */
const LISTED_SECTIONS = 3;

const LANGUAGES = `<fieldset class="languages">
  <legend>Examples in</legend>
  <label><input type="radio" name="language" id="language-ts"> TypeScript</label>
  <label><input type="radio" name="language" id="language-python"> Python</label>
  <label><input type="radio" name="language" id="language-both" checked> both</label>
</fieldset>
`;

/**
 * Returns a document as a page of HTML. It has no script.
 * @param names of the pages, by the path of their documents
 */
export function pageOf(path: string, names: ReadonlyMap<string, string>): string {
  const name = names.get(path) ?? '';
  const text = rendered(path, names);
  const up = posix.relative(posix.dirname(name), '.');
  const manual = up === '' ? '' : `${up}/`;
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'self'; img-src 'self'">
    <meta name="color-scheme" content="light dark">
    <meta name="referrer" content="no-referrer">
    <title>${escaped(titleOf(path))} · SimpleSim</title>
    <link rel="icon" href="${manual}../favicon.svg" type="image/svg+xml">
    <link rel="stylesheet" href="${manual}manual.css">
    <link rel="alternate" type="text/markdown" href="${posix.basename(markdownName(name))}">
  </head>
  <body>
    <header>
      <a href="${manual}../">SimpleSim</a>
      ${path === INDEX ? '' : `<a href="${manual === '' ? './' : manual}">Manual</a>`}
      <a class="to-pages" href="#pages">Pages</a>
    </header>
    <main>
${withAids(text)}
${steps(path, names)}
    </main>
    ${allPages(path, names)}
  </body>
</html>
`;
}

/** Adds the list of sections and the choice of the language below the title. */
function withAids({ html, sections, hasPairs }: Rendered): string {
  const list = sections.map(({ title, anchor }) => `<li><a href="#${anchor}">${title}</a></li>`).join('\n');
  const onThisPage =
    sections.length < LISTED_SECTIONS
      ? ''
      : `<nav class="sections" aria-label="On this page"><p>On this page</p><ul>\n${list}\n</ul></nav>\n`;
  return html.replace('</h1>\n', (end) => `${end}${onThisPage}${hasPairs ? LANGUAGES : ''}`);
}

/** Returns the links to the previous and the next page. */
function steps(path: string, names: ReadonlyMap<string, string>): string {
  const at = MANUAL_PAGES.findIndex(({ file }) => file === path);
  if (at < 0) return '';
  const link = (to: (typeof MANUAL_PAGES)[number] | undefined, rel: string, label: string): string =>
    to
      ? `<a rel="${rel}" href="${hrefIn(path, posix.relative(posix.dirname(path), to.file), names)}">${label}: ${escaped(to.name)}</a>`
      : '';
  return `<nav class="steps" aria-label="Next and previous page">${link(MANUAL_PAGES[at - 1], 'prev', 'Previous')}${link(MANUAL_PAGES[at + 1], 'next', 'Next')}</nav>`;
}

/** Returns the navigation: every page, by part. */
function allPages(path: string, names: ReadonlyMap<string, string>): string {
  const item = (file: string, name: string): string => {
    const current = file === path ? ' aria-current="page"' : '';
    return `<li><a href="${hrefIn(path, posix.relative(posix.dirname(path), file), names)}"${current}>${escaped(name)}</a></li>`;
  };
  const group = (title: string, items: string[]): string => `<p>${escaped(title)}</p><ul>\n${items.join('\n')}\n</ul>`;
  const reference = Object.keys(REFERENCE)
    .filter((name) => name.endsWith('.md'))
    .map((name) => item(`${REFERENCE_DIR}/${name}`, titleOf(`${REFERENCE_DIR}/${name}`)));
  const groups = MANUAL_PARTS.map(({ title, pages }) =>
    group(
      title,
      pages.map(({ file, name }) => item(file, name)),
    ),
  );
  return `<nav id="pages" aria-label="Manual">\n${[...groups, group('Reference', reference)].join('\n')}\n</nav>`;
}
