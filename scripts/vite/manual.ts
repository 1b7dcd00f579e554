import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { Marked, type Tokens } from 'marked';
import type { Plugin } from 'vite';
import { LLMS_PATH, MANUAL_PATH } from '../../src/protocol/manual.ts';

const ROOT = join(import.meta.dirname, '../..');
const STYLE = join(import.meta.dirname, 'manual.css');
const INDEX = 'docs/README.md';
/** The media types of a manual's files besides text, from a folder of pictures or as they stand. */
const MEDIA_TYPES: Record<string, string> = {
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  webp: 'image/webp',
  json: 'application/json',
  md: 'text/markdown; charset=utf-8',
  svg: 'image/svg+xml',
  txt: 'text/plain; charset=utf-8',
};

/**
 * The documentation as plain pages beside the built page, for whoever has only the page: at /manual/, without a script. Links between
 * documents lead from page to page; what else they name is in the repository, and stays text. Each page is there as Markdown too, and
 * `/llms.txt` lists them.
 */
export const manual = (): Plugin => ({
  name: 'simplesim-manual',
  generateBundle() {
    for (const [fileName, source] of manualFiles())
      this.emitFile({ type: 'asset', fileName: `${MANUAL_PATH.slice(1)}${fileName}`, source });
    this.emitFile({ type: 'asset', fileName: LLMS_PATH.slice(1), source: llmsOfManual() });
  },
  configureServer(server) {
    server.middlewares.use(LLMS_PATH, (_, response) => {
      response.setHeader('Content-Type', MEDIA_TYPES.txt ?? '');
      response.end(llmsOfManual());
    });
    server.middlewares.use(MANUAL_PATH.slice(0, -1), (request, response, next) => {
      const name = decodeURIComponent(/^[^?#]*/.exec(request.url ?? '')?.[0] ?? '').replace(/^\//, '') || 'index.html';
      const source = manualFiles().get(name);
      if (source === undefined) return next();
      response.setHeader('Content-Type', MEDIA_TYPES[name.replace(/^.*\./, '')] ?? 'application/octet-stream');
      response.end(source);
    });
  },
});

/** Every file of the manual by its name under /manual/. */
export function manualFiles(): Map<string, string | Buffer> {
  const documents = documentsOfManual();
  const files = new Map<string, string | Buffer>([['manual.css', readFileSync(STYLE, 'utf8')]]);
  for (const name of readdirSync(join(ROOT, 'docs/pictures')))
    files.set(`pictures/${name}`, readFileSync(join(ROOT, 'docs/pictures', name)));
  for (const name of readdirSync(join(ROOT, 'docs')))
    if (/\.(?:txt|json)$/.test(name)) files.set(name, readFileSync(join(ROOT, 'docs', name)));
  const asMarkdown = new Map([...documents].map(([path, name]) => [path, markdownName(name)]));
  for (const [path, name] of documents) {
    files.set(name, pageOf(path, documents));
    files.set(markdownName(name), markdownOf(path, asMarkdown));
  }
  return files;
}

const markdownName = (page: string): string => page.replace(/html$/, 'md');

/** Returns `llms.txt` for a site that has the manual below it. Its addresses are relative, as a site may be below any path. */
export function llmsOfManual(): string {
  const base = MANUAL_PATH.slice(1);
  const documents = documentsOfManual();
  return llmsText((path) => base + markdownName(documents.get(path) ?? posix.basename(path)));
}

/**
 * Returns the manual's index as `llms.txt` has it (https://llmstxt.org): where to start by what one wants to do, then every page.
 * @param addressOf the address of a file, by its path in the repository
 */
export function llmsText(addressOf: (path: string) => string): string {
  const [first = '', every = ''] = textOf(INDEX).split('\n## ');
  const [, name = '', summary = ''] = /^# (.+)\n\n([\s\S]+?)\n\n/.exec(textOf('README.md')) ?? [];
  const items = (links: string, note: string): string[] =>
    [...links.matchAll(LINK)].map(([, words = '', href = '']) => {
      const [target = '', anchor] = href.split('#');
      const path = posix.join(posix.dirname(INDEX), target);
      const title = path.endsWith('.md') ? titleOf(path) : words;
      return `- [${title}](${addressOf(path)}${anchor === undefined ? '' : `#${anchor}`}): ${withoutLinks(note)}`;
    });
  const start = rowsOf(first).flatMap(([wish = '', links = '']) => items(links, `if you ${wish}`));
  const pages = rowsOf(every).flatMap(([links = '', content = '']) => items(links, content));
  return `# ${name}

> ${withoutLinks(summary.replaceAll('\n', ' '))}

## Start

${start.join('\n')}

## Every page

${pages.join('\n')}
`;
}

const LINK = /\[([^\]]+)\]\(([^)\s]+)\)/g;
const withoutLinks = (text: string): string => text.replace(LINK, '$1');
/** An animation with a still for readers who prefer no motion. The manual shows every reader the still: the animation is 2.3 MB. */
const ANIMATION =
  /^<picture>\s*<source media="\(prefers-reduced-motion: reduce\)" srcset="([^"]+)">\s*<img [^>]*\balt="([^"]+)"[^>]*>\s*<\/picture>$/gm;
const textOf = (path: string): string => readFileSync(join(ROOT, path), 'utf8').replace(ANIMATION, '![$2]($1)');
const titleOf = (path: string): string => /^# (.+)$/m.exec(textOf(path))?.[1] ?? path;

/** Returns the cells of the rows of a table, without its head. */
const rowsOf = (text: string): string[][] =>
  [...text.matchAll(/^\| (.+) \|$/gm)].slice(1).map(([, row = '']) => row.split(' | '));

/** Returns a document whose links lead among the documents of the manual; what the manual does not have stays as text. */
function markdownOf(path: string, documents: ReadonlyMap<string, string>): string {
  // Code may hold what looks like a link.
  return textOf(path).replace(
    /(^```[\s\S]*?^```|`[^`\n]+`)|(!?)\[((?:[^[\]]|\[[^\]]*\])+)\]\(([^)\s]+)\)/gm,
    (all, code, image, words, href) => {
      if (code !== undefined) return all;
      const to = hrefIn(path, href, documents);
      return to === null ? words : `${image}[${words}](${to})`;
    },
  );
}

/** Which documents are pages, by their path in the repository, each with the name of its page. */
function documentsOfManual(): Map<string, string> {
  const inDocs = readdirSync(join(ROOT, 'docs')).filter((name) => name.endsWith('.md') && name !== 'README.md');
  return new Map([
    [INDEX, 'index.html'],
    ['README.md', 'README.html'],
    ['CONTRIBUTING.md', 'CONTRIBUTING.html'],
    ...inDocs.map((name): [string, string] => [`docs/${name}`, name.replace(/md$/, 'html')]),
  ]);
}

function pageOf(path: string, documents: ReadonlyMap<string, string>): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'self'; img-src 'self'">
    <meta name="color-scheme" content="light dark">
    <meta name="referrer" content="no-referrer">
    <title>${escaped(titleOf(path))} · SimpleSim</title>
    <link rel="icon" href="../favicon.svg" type="image/svg+xml">
    <link rel="stylesheet" href="manual.css">
    <link rel="alternate" type="text/markdown" href="${markdownName(documents.get(path) ?? '')}">
  </head>
  <body>
    <nav aria-label="Manual">${path === INDEX ? '<a href="../">SimpleSim</a>' : '<a href="./">Manual</a>'}</nav>
    <main>
${markedFor(path, documents).parse(textOf(path))}
    </main>
  </body>
</html>
`;
}

const TABLE = '<div class="wide" role="group" aria-label="Table" tabindex="0"><table>';

/** Markdown as GitHub reads it, with its addresses of headings. */
function markedFor(path: string, documents: ReadonlyMap<string, string>): Marked {
  return new Marked({
    gfm: true,
    // A block wider than a phone scrolls by itself, by keys too. A table of its own display would be none to a screen reader.
    hooks: {
      postprocess: (html) =>
        html.replaceAll('<pre>', '<pre tabindex="0">').replaceAll('<table>', TABLE).replaceAll('</table>', '</table></div>'),
    },
    renderer: {
      heading({ tokens, depth, text }: Tokens.Heading) {
        return `<h${depth} id="${anchorOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      link({ href, tokens }: Tokens.Link) {
        const words = this.parser.parseInline(tokens);
        const to = hrefIn(path, href, documents);
        return to === null ? words : `<a href="${escaped(to)}">${words}</a>`;
      },
      image({ href, text }: Tokens.Image) {
        return `<img src="${escaped(hrefIn(path, href, documents) ?? '')}" alt="${escaped(text)}" loading="lazy">`;
      },
      // A document is text: what looks like a tag in it is shown, and comments are for its makers.
      html: ({ text }: Tokens.HTML | Tokens.Tag) => (text.startsWith('<!--') ? '' : escaped(text)),
    },
  });
}

/** Where a link of a document leads among the pages; null for what the manual has not. */
function hrefIn(path: string, href: string, documents: ReadonlyMap<string, string>): string | null {
  if (/^(?:https?:|#)/.test(href)) return href;
  const [target = '', anchor] = href.split('#');
  const file = posix.normalize(posix.join(posix.dirname(path), target));
  const inManual =
    documents.get(file) ??
    (/^docs\/(?:pictures\/)?[\w.-]+\.(?:webp|svg|txt|json)$/.test(file) ? file.slice('docs/'.length) : null);
  if (inManual === null || (!documents.has(file) && !existsSync(join(ROOT, file)))) return null;
  const page = inManual === 'index.html' ? './' : inManual;
  return anchor === undefined ? page : `${page}#${anchor}`;
}

/** The address of a heading, as GitHub makes it. */
export const anchorOf = (heading: string): string =>
  heading
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign);
