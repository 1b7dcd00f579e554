import { readFileSync } from 'node:fs';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const { version } = JSON.parse(readFileSync(new URL('./package.json', import.meta.url), 'utf8')) as { version: string };

/** Everything the page loads later; named here so that the dev server does not find them one by one and reload the page. */
const LAZY_DEPENDENCIES = [
  '@dimforge/rapier3d-compat',
  '@react-three/fiber',
  'livekit-client',
  'react',
  'react-dom',
  'react-dom/client',
  'react/jsx-dev-runtime',
  'react/jsx-runtime',
  'three',
  'zod',
  'zustand/vanilla',
];

export default defineConfig({
  // The worker draws React components too, and the plugin's hot reload needs a window: stage and cameras do without it.
  plugins: [react({ exclude: [/\/src\/(?:stage|cameras)\//, /\/node_modules\//] })],
  define: { __PRODUCT_VERSION__: JSON.stringify(version) },
  optimizeDeps: { include: LAZY_DEPENDENCIES },
  worker: { format: 'es' },
  build: {
    outDir: 'dist',
    sourcemap: true,
    target: 'es2022',
    // Rapier brings its WebAssembly inside; it is loaded in a worker, with progress.
    chunkSizeWarningLimit: 2_500,
  },
});
