/** docs/reference/dependencies.md: the packages of `package.json`, with the notes of `dependency-notes.ts`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT_DIR } from '../declarations.ts';
import { INSTALLED_MEGABYTES, KEPT_BACK, PRODUCT_PACKAGES, TOOLS } from './dependency-notes.ts';
import { code, markdownTable } from './markdown.ts';

type Packages = Readonly<Record<string, string>>;

interface Lock {
  packages: Readonly<Record<string, { version?: string; license?: string }>>;
}

const readJson = (path: string): unknown => JSON.parse(readFileSync(join(ROOT_DIR, path), 'utf8'));
const list = (names: readonly string[]): string => names.map(code).join(', ');

/** @throws if a package lacks a note, or a note its package */
function checkNotes(dependencies: Packages, devDependencies: Packages): void {
  const installed = Object.keys({ ...dependencies, ...devDependencies });
  const inProduct = PRODUCT_PACKAGES.flatMap(({ packages }) => packages);
  const noted = [...inProduct, ...Object.keys(TOOLS)];
  const missing = [
    ...installed.filter((name) => !name.startsWith('@types/') && !noted.includes(name)),
    ...Object.keys(dependencies).filter((name) => !inProduct.includes(name)),
  ];
  const unknown = [...noted, ...Object.keys(KEPT_BACK)].filter((name) => !installed.includes(name));
  if (missing.length > 0) throw new Error(`Add a note for ${missing.join(', ')} to scripts/docs/dependency-notes.ts.`);
  if (unknown.length > 0)
    throw new Error(`Remove ${unknown.join(', ')} from scripts/docs/dependency-notes.ts: package.json does not name it.`);
}

/** Returns the text of the page. @throws if a package lacks a note, or a note its package */
export function dependenciesPage(): string {
  const { dependencies, devDependencies } = readJson('package.json') as Record<'dependencies' | 'devDependencies', Packages>;
  checkNotes(dependencies, devDependencies);
  const lock = (readJson('package-lock.json') as Lock).packages;
  const licenceOf = (name: string): string => (lock[`node_modules/${name}`]?.license ?? 'unknown').replaceAll(/[()]/g, '');
  const licences = (names: readonly string[]): string => [...new Set(names.map(licenceOf))].join(', ');
  const inProduct = PRODUCT_PACKAGES.map(({ packages, purpose, megabytes, reason }) => [
    list(packages),
    purpose,
    megabytes.toFixed(1),
    licences(packages),
    reason,
  ]);
  const tools = Object.entries(TOOLS).map(([name, purpose]) => [code(name), purpose, licenceOf(name)]);
  const types = Object.keys(devDependencies).filter((name) => name.startsWith('@types/'));
  const keptBack = Object.entries(KEPT_BACK).map(([name, why]) => [
    code(name),
    lock[`node_modules/${name}`]?.version ?? 'unknown',
    why,
  ]);
  return `${[
    '# Dependencies',
    'Made by `npm run docs` from `package.json`, `package-lock.json` and `scripts/docs/dependency-notes.ts`; do not edit by hand.',
    'This page lists every package that SimpleSim uses, and why it is not our own code. `npm run notices` checks the licences of the packages in the page.',
    '## What a user installs',
    `The published package installs ${Object.keys(dependencies).length} packages: ${list(Object.keys(dependencies))}. They contain native code or WebAssembly, or types that ours refer to. With their own dependencies they have ${INSTALLED_MEGABYTES} MB. All other packages are inside the page or the compiled commands, or build and test them ([architecture](../architecture.md)).`,
    '## In the product',
    'Sizes are those of the installed packages without their own dependencies.',
    markdownTable(['package', 'purpose', 'MB', 'licence', 'why not our own code'], inProduct),
    '## For development alone',
    markdownTable(['package', 'purpose', 'licence'], tools),
    `Types for the compiler: ${list(types)}.`,
    '## Not at the newest version',
    markdownTable(['package', 'version', 'why'], keptBack),
  ].join('\n\n')}\n`;
}
