/**
 * How the commands are compiled: file by file, with source maps. Libraries go into `compiled/libraries`, except the dependencies
 * of `package.json`, which contain native code or WebAssembly, or are named by the types of the package.
 */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { defineConfig, type Plugin } from 'vite';
import { thirdPartyNotices } from './third-party-notices.ts';

const ROOT_DIR = resolve(import.meta.dirname, '../..');
/** The programs that a command or another program starts, and the modules that users' programs import. */
const PROGRAMS = [
  'launch/simplesim',
  'launch/sfu-guard',
  'launch/eval/agent-guard',
  'launch/eval/verify-process',
  'launch/viewer-build-process',
  'control-service/db/empty-database-process',
  'worker/robot/robot-process',
  'headless/index',
];
/** Only a clone has them: they build the page, and run TypeScript. */
const TOOLS = ['vite', 'tsx'];
/** Optional dependencies of libraries. */
const OPTIONAL = ['bufferutil', 'utf-8-validate'];
/** The client library imports it only in a browser. */
const OF_BROWSERS = ['livekit-client'];
/** Leaves out the part of `pg` that needs a native package. No caller uses it, but compiled code would load it with the rest. */
const withoutNativePg: Plugin = {
  name: 'simplesim-without-native-pg',
  load: (id) => (/\/node_modules\/pg\/lib\/native\/index\.js$/.test(id.replaceAll('\\', '/')) ? 'module.exports = null;' : null),
};

const fromSrc = (path: string) => join(ROOT_DIR, 'src', path);
const { dependencies } = JSON.parse(readFileSync(join(ROOT_DIR, 'package.json'), 'utf8')) as {
  dependencies: Record<string, string>;
};

export default defineConfig({
  publicDir: false,
  logLevel: 'warn',
  plugins: [withoutNativePg, thirdPartyNotices()],
  ssr: { noExternal: true, external: [...Object.keys(dependencies), ...TOOLS, ...OPTIONAL, ...OF_BROWSERS] },
  build: {
    ssr: true,
    write: false,
    target: 'node20',
    minify: false,
    sourcemap: true,
    outDir: join(ROOT_DIR, 'compiled'),
    rolldownOptions: {
      // A slow machine is not a reason to warn the user of a command.
      checks: { bundlerTimings: false },
      input: Object.fromEntries(PROGRAMS.map((name) => [name, fromSrc(`${name}.ts`)])),
      output: {
        // One output file per source file, so that they find each other, and data next to them, as in `src/`.
        preserveModules: true,
        preserveModulesRoot: fromSrc('.'),
        // npm omits every folder that is called `node_modules` from a package.
        entryFileNames: ({ name }) => `${name.replaceAll('node_modules', 'libraries')}.js`,
        // The sources contain the comments, and `third-party-notices.txt` the licences.
        comments: { jsdoc: false, legal: false },
        // Every process keeps its maps in memory; lines and names suffice for traces.
        sourcemapExcludeSources: true,
      },
    },
  },
});
