/** Builds the npm package `simplesim` from the built page and the compiled commands. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, extname, join, relative, sep } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { minifySync } from 'vite';
import { PRECOMPRESSED_END } from '../../src/headless/built-file.ts';
import { ensureViewerBuilt } from '../../src/launch/viewer-build.ts';
import { isStale } from '../compiled.mjs';
import { ROOT_DIR } from '../declarations.ts';
import { readProduct, registryName } from './agent-manifests.ts';
import { asInstalled } from './installed-commands.ts';

/** The contents of the package, by their place in the clone and in the package. */
const PARTS: readonly (readonly [from: string, to: string])[] = [
  ['compiled', 'compiled'],
  ['compiled-types', 'types'],
  ['dist', 'dist'],
  ['scenes', 'scenes'],
  ['tasks', 'tasks'],
  ['sfu', 'sfu'],
  ['plugins/simplesim/skills', 'skills'],
  ['scripts/simplesim.mjs', 'bin/simplesim.mjs'],
  ['scripts/compiled.mjs', 'bin/compiled.mjs'],
  ['scripts/package/README.md', 'README.md'],
  ['CHANGELOG.md', 'CHANGELOG.md'],
  ['LICENSE', 'LICENSE'],
];
/** Files that only a clone needs: source maps, compressed copies, and build tools. */
const LEFT_OUT = /\.(?:map|br)$|^compiled\/(?:compiled-at\.txt|launch\/viewer-build-process\.js)$/;
/** Only in compressed form in the package (`readBuiltFile`, `apiPageFile`). */
const COMPRESSED_ALONE =
  /^dist\/(?:assets\/.*\.(?:js|css|wasm)|manual\/.*\.(?:html|md|txt|json|svg)|third-party-notices\.txt)$|\/swagger-ui\/.*\.(?:js|css)$/;
/** Minified in the package. */
const LIBRARY_SCRIPT = /^compiled\/libraries\/.*\.js$/;
const TEXTS = new Set(['.js', '.mjs', '.html', '.ts', '.json', '.txt', '.md']);
/** Third-party texts, which do not mention our commands. */
const NOT_OURS = /^compiled\/libraries\/|\/swagger-ui\/|third-party-notices\.txt$/;

/** Brings the built page, the compiled commands and their declarations up to date. */
export async function ensureBuilt(onProgress: (line: string) => void): Promise<void> {
  await ensureViewerBuilt(onProgress);
  if (isStale()) execFileSync(process.execPath, [join(ROOT_DIR, 'scripts/compile.mjs')], { stdio: 'inherit' });
  execFileSync(process.execPath, ['--import', 'tsx', join(ROOT_DIR, 'scripts/headless-types.ts')], { stdio: 'inherit' });
}

/** Builds the package into an empty folder, from what {@link ensureBuilt} leaves. @returns its number of files and their bytes */
export function buildSimplesim(outDir: string): { files: number; bytes: number } {
  rmSync(outDir, { recursive: true, force: true });
  let files = 0;
  let bytes = 0;
  const write = (name: string, content: Uint8Array | string, mode?: number): void => {
    const target = join(outDir, name);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, content, { mode });
    files += 1;
    bytes += statSync(target).size;
  };
  for (const [from, to] of PARTS) {
    for (const file of filesOf(join(ROOT_DIR, from))) {
      const name = join(to, relative(join(ROOT_DIR, from), file))
        .split(sep)
        .join('/');
      if (LEFT_OUT.test(name)) continue;
      const content = packedContent(name, readFileSync(file));
      if (COMPRESSED_ALONE.test(name)) write(`${name}${PRECOMPRESSED_END}`, brotliCompressSync(content));
      else write(name, content, statSync(file).mode);
    }
  }
  write('package.json', `${JSON.stringify(manifest(), null, 2)}\n`);
  return { files, bytes };
}

function packedContent(name: string, content: Buffer): Buffer {
  if (LIBRARY_SCRIPT.test(name)) return Buffer.from(minified(name, content.toString()));
  if (!TEXTS.has(extname(name)) || NOT_OURS.test(name)) return content;
  return Buffer.from(asInstalled(content.toString().replace(/\n\/\/# sourceMappingURL=\S+\s*$/, '\n')));
}

/** The names of functions and classes stay, because libraries compare some. @throws Error for code that does not parse */
function minified(name: string, code: string): string {
  const isShort = name.includes('/@modelcontextprotocol/');
  const made = minifySync(name, code, {
    module: true,
    compress: isShort,
    mangle: isShort || { keepNames: { function: true, class: true } },
  });
  if (made.errors.length > 0) throw new Error(`${name} cannot be minified: ${made.errors[0]?.message}`);
  return made.code;
}

/** Returns the paths of all files in a folder; a file is its own list. */
export function filesOf(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
}

/** The clone's own manifest defines the shared fields: name, version, licence, engines and dependencies. */
function manifest(): Record<string, unknown> {
  const own = JSON.parse(readFileSync(join(ROOT_DIR, 'package.json'), 'utf8')) as Record<string, unknown>;
  const { name, version, description, license, repository, engines, dependencies } = own;
  const mcpName = registryName(readProduct());
  return {
    name,
    ...(mcpName === null ? {} : { mcpName }),
    version,
    description,
    license,
    repository,
    type: 'module',
    engines,
    bin: { simplesim: 'bin/simplesim.mjs' },
    exports: {
      '.': { types: './types/headless/index.d.ts', default: './compiled/headless/index.js' },
      './package.json': './package.json',
    },
    types: './types/headless/index.d.ts',
    dependencies,
  };
}
