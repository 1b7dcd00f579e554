/** The gallery: the product's page with an engine that stands still. `npm run gallery` serves it; page tests use a build. */
import { join } from 'node:path';
import { defineConfig, type Plugin } from 'vite';
import product from '../../vite.config.ts';
import { recordWorlds } from './recorded.ts';

const ROOT = join(import.meta.dirname, '../..');
const RECORDED = 'virtual:recorded';

/** Replaces the page's own entry with the gallery's. */
const galleryEntry = (): Plugin => ({
  name: 'gallery-entry',
  transformIndexHtml: {
    order: 'pre',
    handler: (html) => html.replace('/src/viewer/main.tsx', '/tests/gallery/main.ts'),
  },
});

const recordedWorlds = (): Plugin => ({
  name: 'gallery-recorded-worlds',
  resolveId: (id) => (id === RECORDED ? `\0${RECORDED}` : null),
  load: async (id) => (id === `\0${RECORDED}` ? `export const recorded = ${JSON.stringify(await recordWorlds())};` : null),
});

/** Parts that no state of the gallery shows, and that take long to make. */
const LEFT_OUT = new Set(['simplesim-notices', 'simplesim-manual']);

export default defineConfig({
  ...product,
  root: ROOT,
  plugins: [
    galleryEntry(),
    recordedWorlds(),
    ...(product.plugins ?? []).filter((plugin) => !(plugin && 'name' in plugin && LEFT_OUT.has(plugin.name))),
  ],
  server: { open: '/' },
  build: {
    ...product.build,
    outDir: join(ROOT, '.cache/gallery'),
    emptyOutDir: true,
    sourcemap: false,
    minify: false,
    reportCompressedSize: false,
    rolldownOptions: { ...product.build?.rolldownOptions, input: { index: join(ROOT, 'index.html') } },
  },
});
