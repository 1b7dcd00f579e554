import { readFileSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { build, type Plugin } from 'vite';
import { policyText } from '../../src/launch/page-policy.ts';

/** The plugins that the page needs from its build, in addition to bundling. */

const ROOT = join(import.meta.dirname, '../..');
const ELEMENT_FILE = 'simple-sim.js';
/** The element's types: a file of types alone, which imports nothing. */
const TYPES_FILE = 'simple-sim.d.ts';
const TYPES_SOURCE = join(ROOT, 'src/viewer/embed/wire.ts');

/** Writes the Content-Security-Policy into the built page, so that it also applies if the host sends no headers. */
export const policyInPage = (): Plugin => ({
  name: 'simplesim-policy',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: () => [
      {
        tag: 'meta',
        attrs: { 'http-equiv': 'Content-Security-Policy', content: policyText(null) },
        injectTo: 'head-prepend',
      },
    ],
  },
});

/**
 * zod tests whether it may generate code from text, which the page's policy forbids and the browser then reports. This disables
 * the test where zod's settings are initialised, before any schema is created in any thread.
 */
export const zodWithoutEval = (): Plugin => ({
  name: 'simplesim-zod-without-eval',
  apply: 'build',
  transform: {
    filter: { id: /\/zod\/v4\/core\/core\.js$/ },
    handler: (code) => ({ code: `${code}\nglobalConfig.jitless = true;\n`, map: null }),
  },
});

/**
 * Serves `<simple-sim>` under one fixed name, in one file without imports: a plain script for any page. Its types are next to it.
 */
export const elementScript = (): Plugin => ({
  name: 'simplesim-element',
  async generateBundle() {
    this.emitFile({ type: 'asset', fileName: ELEMENT_FILE, source: await bundleElement() });
    this.emitFile({ type: 'asset', fileName: TYPES_FILE, source: readFileSync(TYPES_SOURCE, 'utf8') });
  },
  configureServer(server) {
    server.middlewares.use(`/${TYPES_FILE}`, (_request, response) => {
      response.setHeader('Content-Type', 'text/plain; charset=utf-8');
      response.end(readFileSync(TYPES_SOURCE, 'utf8'));
    });
    server.middlewares.use(`/${ELEMENT_FILE}`, (_request, response, next) => {
      bundleElement().then((code) => {
        response.setHeader('Content-Type', 'text/javascript; charset=utf-8');
        response.end(code);
      }, next);
    });
  },
});

/**
 * Gives the built page the time before its first source was read, so that a file that changes during the build counts as newer,
 * and is built next time.
 */
export const timeOfSources = (): Plugin => {
  let startedAt = new Date();
  return {
    name: 'simplesim-time-of-sources',
    apply: 'build',
    configResolved() {
      startedAt = new Date();
    },
    writeBundle({ dir }, files) {
      if (dir !== undefined && 'index.html' in files) utimesSync(join(dir, 'index.html'), startedAt, startedAt);
    },
  };
};

async function bundleElement(): Promise<string> {
  const lib = {
    entry: join(ROOT, 'src/viewer/embed/element.ts'),
    formats: ['iife' as const],
    name: 'simpleSim',
    fileName: 'element',
  };
  const options = { write: false, target: 'es2022', lib, minify: true };
  const built = await build({ root: ROOT, configFile: false, publicDir: false, logLevel: 'warn', build: options });
  const outputs = (Array.isArray(built) ? built : [built]).flatMap((one) => ('output' in one ? one.output : []));
  const chunk = outputs.find(({ type }) => type === 'chunk');
  if (!chunk || !('code' in chunk)) throw new Error('The element could not be bundled.');
  return chunk.code;
}
