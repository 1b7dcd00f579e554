/**
 * Finds values that a file of `src/` exports and no file imports. Types are left out: the export of a type in a signature informs
 * readers, whether or not it is imported.
 */
import { readFileSync } from 'node:fs';
import { relative, resolve, sep } from 'node:path';
import { parseSync } from 'vite';

/** The exports and imports of a file. */
export interface ModuleNames {
  /** From `src/` on; ".." begins the path of a file next to it. */
  file: string;
  /** Names of its exported values. */
  exports: string[];
  /** Its imports and re-exports, each from a file; the name is null for all of them. */
  imports: { from: string; name: string | null }[];
}

/** Files whose exports are imported by users' programs, or by a tool through the file's name. */
const ENTRIES: ReadonlySet<string> = new Set([
  'client/index.ts',
  'client/experimental.ts',
  'headless/index.ts',
  'control-service/db/schema.ts',
  // JSX compiles to calls of these.
  'viewer/jsx/jsx-runtime.ts',
  'viewer/jsx/jsx-dev-runtime.ts',
  // The build uses it in place of a package.
  'viewer/ui/common/no-scroll-lock.tsx',
]);

/** Returns the exports and imports of a file. @throws Error if it cannot be parsed */
export function namesOf(srcDir: string, file: string, source = readFileSync(file, 'utf8')): ModuleNames {
  const { module, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0]?.message}`);
  const exports: string[] = [];
  const imports: ModuleNames['imports'] = [];
  const take = (specifier: string, name: string | null): void => {
    if (specifier.startsWith('.'))
      imports.push({ from: pathOf(srcDir, resolve(file, '..', specifier.replace(/\?.*$/, ''))), name });
  };
  for (const { moduleRequest, entries } of module.staticImports)
    for (const { importName } of entries)
      take(moduleRequest.value, importName.kind === 'NamespaceObject' ? null : (importName.name ?? 'default'));
  for (const { entries } of module.staticExports)
    for (const { moduleRequest, importName, exportName, isType } of entries) {
      if (moduleRequest) take(moduleRequest.value, importName.kind === 'Name' ? importName.name : null);
      if (!isType && exportName.kind !== 'None') exports.push(exportName.name ?? 'default');
    }
  // Of a file that is loaded dynamically, the caller decides which names are used.
  for (const { moduleRequest } of module.dynamicImports) {
    const specifier = LITERAL.exec(source.slice(moduleRequest.start, moduleRequest.end))?.[1];
    if (specifier !== undefined) take(specifier, null);
  }
  return { file: pathOf(srcDir, file), exports, imports };
}

/** Returns a sentence for each value that a file of `src/` exports and no file imports. */
export function unusedExports(all: readonly ModuleNames[]): string[] {
  const taken = new Set(all.flatMap(({ file, imports }) => imports.filter(({ from }) => from !== file).map(keyOf)));
  return all
    .filter(({ file }) => !file.startsWith('..') && !ENTRIES.has(file) && !taken.has(keyOf({ from: file, name: null })))
    .flatMap(({ file, exports }) =>
      exports
        .filter((name) => !taken.has(keyOf({ from: file, name })))
        .map((name) => `src/${file}: exports ${name}, which no file imports; take the export away, or what it exports`),
    );
}

/** Matches a dynamic import with a string as its only argument. */
const LITERAL = /^['"]([^'"]+)['"]$/;

const keyOf = ({ from, name }: ModuleNames['imports'][number]): string => `${from} ${name ?? '*'}`;
const pathOf = (srcDir: string, file: string): string => relative(srcDir, file).split(sep).join('/');
