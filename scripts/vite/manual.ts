import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import type { Plugin } from 'vite';
import { LLMS_PATH, MANUAL_PATH } from '../../src/protocol/service/manual.ts';
import { REFERENCE, REFERENCE_DIR } from '../docs/pages.ts';
import { documentsOfManual, hrefIn, markdownName, ROOT_DIR, textOf } from './manual/documents.ts';
import { llmsText } from './manual/llms.ts';
import { pageOf } from './manual/page.ts';

const STYLE = join(import.meta.dirname, 'manual.css');
/** The media types of the files, by the ends of their names. */
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
 * The manual as plain pages next to the built page, at `/manual/`, without a script. Links between documents lead from page to
 * page. A link to another file of the repository is shown as text. Each page is served as Markdown too, and `/llms.txt` lists
 * them.
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
      // Names of files have no character that an address escapes.
      const name = (/^[^?#]*/.exec(request.url ?? '')?.[0] ?? '').replace(/^\//, '') || 'index.html';
      const source = manualFiles().get(name);
      if (source === undefined) return next();
      response.setHeader('Content-Type', MEDIA_TYPES[name.replace(/^.*\./, '')] ?? 'application/octet-stream');
      response.end(source);
    });
  },
});

/** Returns every file of the manual, by its name below `/manual/`. */
export function manualFiles(): Map<string, string | Buffer> {
  const documents = documentsOfManual();
  const files = new Map<string, string | Buffer>([['manual.css', readFileSync(STYLE, 'utf8')]]);
  for (const name of readdirSync(join(ROOT_DIR, 'docs/pictures')))
    files.set(`pictures/${name}`, readFileSync(join(ROOT_DIR, 'docs/pictures', name)));
  for (const name of Object.keys(REFERENCE))
    if (!name.endsWith('.md')) files.set(`reference/${name}`, readFileSync(join(ROOT_DIR, REFERENCE_DIR, name), 'utf8'));
  const asMarkdown = new Map([...documents].map(([path, name]) => [path, markdownName(name)]));
  for (const [path, name] of documents) {
    files.set(name, pageOf(path, documents));
    files.set(markdownName(name), markdownOf(path, asMarkdown));
  }
  return files;
}

/** Returns `llms.txt` for a site with the manual below it. Its addresses are relative, because a site may be below any path. */
export function llmsOfManual(): string {
  const base = MANUAL_PATH.slice(1);
  const documents = documentsOfManual();
  return llmsText((path) => base + markdownName(documents.get(path) ?? posix.relative('docs', path)));
}

/** Returns a document whose links point to the documents of the manual. A link to another file is shown as text. */
function markdownOf(path: string, documents: ReadonlyMap<string, string>): string {
  // Code may contain text that looks like a link.
  return textOf(path).replace(
    /(^```[\s\S]*?^```|`[^`\n]+`)|(!?)\[((?:[^[\]]|\[[^\]]*\])+)\]\(([^)\s]+)\)/gm,
    (all, code, image, text, href) => {
      if (code !== undefined) return all;
      const to = hrefIn(path, href, documents);
      return to === null ? text : `${image}[${text}](${to})`;
    },
  );
}
