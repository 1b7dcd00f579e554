/** Builds the npm package `platform-robot-sdk` from `src/client`. */
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build } from 'vite';
import { VERSION } from '../../src/client/index.ts';
import { CLIENT_ENTRIES, clientDeclarations, ROOT_DIR } from '../declarations.ts';

/** Not bundled: the library's dependencies, so that users get fixed versions of them. */
const DEPENDENCIES = ['zod', 'jose'];
/** Peer dependencies that the user chooses: one for Node, one for browsers. */
const LIVEKIT = ['livekit-client', '@livekit/rtc-node'];

/** Builds the package into an empty folder. @returns bytes of its code and of its declarations */
export async function buildPackage(outDir: string): Promise<{ codeBytes: number; typesBytes: number }> {
  rmSync(outDir, { recursive: true, force: true });
  mkdirSync(outDir, { recursive: true });
  await build({
    root: ROOT_DIR,
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    build: {
      outDir: join(outDir, 'lib'),
      emptyOutDir: false,
      target: 'es2023',
      minify: false,
      lib: { entry: CLIENT_ENTRIES.map((name) => join(ROOT_DIR, `src/client/${name}.ts`)), formats: ['es'] },
      rolldownOptions: {
        // A package with its subpaths, such as `jose/jwt/decode`.
        external: [...DEPENDENCIES, ...LIVEKIT].map((name) => new RegExp(`^${name}(?:/|$)`)),
        // The declarations have the docstrings.
        output: { entryFileNames: '[name].js', chunkFileNames: '[name].js', comments: { jsdoc: false } },
      },
    },
  });
  for (const [path, text] of clientDeclarations()) {
    const file = join(outDir, 'types', path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  writeFileSync(join(outDir, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`);
  cpSync(join(ROOT_DIR, 'docs/libraries.md'), join(outDir, 'README.md'));
  cpSync(join(ROOT_DIR, 'LICENSE'), join(outDir, 'LICENSE'));
  const openapi: unknown = JSON.parse(readFileSync(join(ROOT_DIR, 'docs/reference/openapi.library.json'), 'utf8'));
  writeFileSync(join(outDir, 'openapi.json'), JSON.stringify(openapi));
  return { codeBytes: bytesIn(join(outDir, 'lib')), typesBytes: bytesIn(join(outDir, 'types')) };
}

const entryFiles = (name: string) => ({ types: `./types/client/${name}.d.ts`, default: `./lib/${name}.js` });

/** Versions of packages are those with which the library is tested. */
function manifest(): Record<string, unknown> {
  const own = JSON.parse(readFileSync(join(ROOT_DIR, 'package.json'), 'utf8')) as {
    license: string;
    repository?: object;
    engines: Record<string, string>;
    dependencies: Record<string, string>;
    devDependencies: Record<string, string>;
  };
  const tested = { ...own.devDependencies, ...own.dependencies };
  const version = (name: string) => ({ [name]: tested[name] ?? '*' });
  return {
    name: 'platform-robot-sdk',
    version: VERSION,
    description: 'A robot over the platform’s HTTP interface, and live in its room. For Node and browsers.',
    license: own.license,
    ...(own.repository ? { repository: own.repository } : {}),
    type: 'module',
    sideEffects: false,
    engines: own.engines,
    exports: {
      ...Object.fromEntries(CLIENT_ENTRIES.map((name) => [name === 'index' ? '.' : `./${name}`, entryFiles(name)])),
      './openapi.json': './openapi.json',
      './package.json': './package.json',
    },
    types: './types/client/index.d.ts',
    files: ['lib', 'types', 'openapi.json'],
    dependencies: Object.assign({}, ...DEPENDENCIES.map(version)) as Record<string, string>,
    peerDependencies: Object.assign({}, ...LIVEKIT.map(version)) as Record<string, string>,
    peerDependenciesMeta: Object.fromEntries(LIVEKIT.map((name) => [name, { optional: true }])),
  };
}

function bytesIn(dir: string): number {
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}
