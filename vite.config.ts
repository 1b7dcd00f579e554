import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { manual } from './scripts/vite/manual.ts';
import { elementScript, policyInPage, timeOfSources, zodWithoutEval } from './scripts/vite/page-plugins.ts';
import { physicsBinary } from './scripts/vite/physics-binary.ts';
import { scenePlansInPage } from './scripts/vite/scene-plans.ts';
import { isSharedWithWorkers, sharedChunkOf } from './scripts/vite/shared-chunks.ts';
import { thirdPartyNotices } from './scripts/vite/third-party-notices.ts';
import { isWorkerFile, workersInBuild } from './scripts/vite/workers-in-build.ts';

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
  // Addresses within the page are relative, so that it opens below any path of a site.
  base: './',
  // The worker draws React components too, and the plugin's hot reload needs a window: stage and cameras do without it.
  plugins: [
    physicsBinary(),
    scenePlansInPage(),
    // Texts of the page are set apart for translators of the browser: src/viewer/jsx.
    react({ jsxImportSource: '#page', exclude: [/\/src\/(?:stage|cameras)\//, /\/node_modules\//] }),
    workersInBuild(),
    policyInPage(),
    zodWithoutEval(),
    elementScript(),
    thirdPartyNotices(),
    manual(),
    timeOfSources(),
  ],
  define: {
    __PRODUCT_VERSION__: JSON.stringify(version),
    __PAGE_HAS_PLATFORM__: JSON.stringify(process.env.SIMPLESIM_PAGE_HAS_PLATFORM === '1'),
  },
  resolve: {
    alias: { 'react-remove-scroll': fileURLToPath(new URL('./src/viewer/ui/common/no-scroll-lock.tsx', import.meta.url)) },
  },
  optimizeDeps: { include: LAZY_DEPENDENCIES },
  worker: { format: 'es' },
  build: {
    outDir: 'dist',
    sourcemap: true,
    target: 'es2022',
    modulePreload: {
      // A worker has no document in which something could be preloaded.
      resolveDependencies: (_file, needed, { hostId }) => (isWorkerFile(hostId) || isSharedWithWorkers(hostId) ? [] : needed),
    },
    rolldownOptions: {
      // What takes its time on a slow machine is no warning for whoever starts a command.
      checks: { bundlerTimings: false },
      // Otherwise the page of all robots would load LiveKit's helpers, because it uses the client library.
      treeshake: { moduleSideEffects: [{ test: /\/src\/client\//, sideEffects: false }] },
      input: { index: 'index.html', robots: 'robots.html', replay: 'replay.html', agent: 'agent.html' },
      output: { codeSplitting: { groups: [{ name: sharedChunkOf, debugName: 'shared' }] } },
    },
    // scripts/check-weight.ts says which files are too large.
    chunkSizeWarningLimit: 2_500,
  },
});
