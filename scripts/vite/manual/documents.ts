/** The documents that the manual shows as pages, and the addresses of its files. */
import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { MANUAL_PAGES, REFERENCE, REFERENCE_DIR } from '../../docs/pages.ts';

export const ROOT_DIR = join(import.meta.dirname, '../../..');
export const INDEX = 'docs/README.md';
export const CHANGELOG = 'CHANGELOG.md';

/**
 * An animation with a still for readers who prefer no motion. The manual shows the still to every reader, because the animation
 * has 2.3 MB.
 */
const ANIMATION =
  /^<picture>\s*<source media="\(prefers-reduced-motion: reduce\)" srcset="([^"]+)">\s*<img [^>]*\balt="([^"]+)"[^>]*>\s*<\/picture>$/gm;

/** Returns the Markdown of a document, by its path in the repository. */
export const textOf = (path: string): string => readFileSync(join(ROOT_DIR, path), 'utf8').replace(ANIMATION, '![$2]($1)');

/** Returns the title of a document, or its path if it has none. */
export const titleOf = (path: string): string => /^# (.+)$/m.exec(textOf(path))?.[1] ?? path;

/** Returns the Markdown file name of a page. */
export const markdownName = (page: string): string => page.replace(/html$/, 'md');

/**
 * Returns the documents that are pages: the name of each page below `/manual/`, by the path of its document in the repository.
 */
export function documentsOfManual(): Map<string, string> {
  const reference = Object.keys(REFERENCE).filter((name) => name.endsWith('.md'));
  const files = [...MANUAL_PAGES.map(({ file }) => file), CHANGELOG, ...reference.map((name) => `${REFERENCE_DIR}/${name}`)];
  return new Map([
    [INDEX, 'index.html'],
    ...files.map((file): [string, string] => [file, file.replace(/^docs\//, '').replace(/md$/, 'html')]),
  ]);
}

/**
 * Returns the address of a link's target, relative to the page with the link; null for a target that the manual does not contain.
 * @param path of the document with the link
 * @param names of the pages, or of their Markdown, by the path of their documents
 */
export function hrefIn(path: string, href: string, names: ReadonlyMap<string, string>): string | null {
  if (/^(?:https?:|#)/.test(href)) return href;
  const [target = '', anchor] = href.split('#');
  const file = posix.normalize(posix.join(posix.dirname(path), target));
  const name = names.get(file) ?? fileOfManual(file);
  if (name === null) return null;
  const to = posix.relative(posix.dirname(names.get(path) ?? ''), name.replace(/(^|\/)index\.html$/, '$1')) || './';
  const folder = name.endsWith('index.html') && !to.endsWith('/') ? '/' : '';
  return `${to}${folder}${anchor === undefined ? '' : `#${anchor}`}`;
}

/** Returns the name below `/manual/` of a picture, or of a file of the reference that is not a page; null for any other file. */
function fileOfManual(file: string): string | null {
  const name = posix.relative('docs', file);
  const isReference = posix.dirname(file) === REFERENCE_DIR && posix.basename(file) in REFERENCE;
  const isPicture = /^pictures\/[\w.-]+\.(?:webp|svg)$/.test(name);
  return (isReference || isPicture) && existsSync(join(ROOT_DIR, file)) ? name : null;
}
