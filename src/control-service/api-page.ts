import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';

/**
 * The browsable description of a face: Swagger UI from its npm package. It loads nothing from other hosts and has no inline
 * script.
 */

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Robot Control Service</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="docs/swagger-ui.css">
  </head>
  <body>
    <div id="page"></div>
    <script src="docs/swagger-ui-bundle.js"></script>
    <script src="docs/start.js"></script>
  </body>
</html>
`;

/** Addresses are relative to the page, so that it works under any prefix. The key stays in the memory of the page. */
const START = `'use strict';
window.SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#page',
  deepLinking: true,
  displayRequestDuration: true,
  persistAuthorization: false,
  validatorUrl: null,
});
`;

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const PACKAGE_FILES: Record<string, string> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
};

/** Returns a file of the page; '' is the page itself. Null for an unknown name. */
export async function apiPageFile(name: string): Promise<{ body: string; headers: Record<string, string> } | null> {
  if (name === '') return answer(PAGE, 'text/html; charset=utf-8');
  if (name === 'start.js') return answer(START, 'text/javascript; charset=utf-8');
  const type = Object.hasOwn(PACKAGE_FILES, name) ? PACKAGE_FILES[name] : undefined;
  if (type === undefined) return null;
  return answer(await readLibraryFile(join(libraryFolder(), name)), type);
}

/** The published package has only the compressed form of these files. */
async function readLibraryFile(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const compressed = await readFile(`${file}.br`).catch(() => null);
    if (compressed === null) throw error;
    return (await promisify(brotliDecompress)(compressed)).toString();
  }
}

/** Compiled programs have the library's files next to them (`scripts/compile.mjs`). */
function libraryFolder(): string {
  const beside = join(import.meta.dirname, 'swagger-ui');
  return existsSync(beside) ? beside : dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
}

const answer = (body: string, type: string) => ({
  body,
  headers: {
    'Content-Type': type,
    'Content-Security-Policy': POLICY,
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Referrer-Policy': 'no-referrer',
  },
});
