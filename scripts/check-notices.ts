/**
 * Fails if a package whose code is in the built page is missing from `third-party-notices.txt`, with its licence. The content of
 * the page is read from its source maps, independently of the build's own notices. Builds nothing: run `vite build` first.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const distDir = resolve(process.argv[2] ?? join(import.meta.dirname, '../dist'));
const noticesFile = join(distDir, 'third-party-notices.txt');
if (!existsSync(noticesFile)) {
  console.error(`There is no ${noticesFile}. Build the page first: npm run build`);
  process.exit(1);
}
const assetsDir = join(distDir, 'assets');
const names = readdirSync(assetsDir);
const packages = new Set<string>();
for (const name of names.filter((one) => one.endsWith('.map'))) {
  const { sources } = JSON.parse(readFileSync(join(assetsDir, name), 'utf8')) as { sources: string[] };
  for (const source of sources) {
    const [, packageName] = /^.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(source) ?? [];
    if (packageName !== undefined) packages.add(packageName);
  }
}
// Fonts have no source map.
if (names.some((name) => /^inter-.*\.woff2$/.test(name))) packages.add('@fontsource-variable/inter');

const parts = readFileSync(noticesFile, 'utf8').split(/\n-{80}\n/);
const isNamed = (packageName: string): boolean =>
  parts.some((part) => part.includes(`\n${packageName} `) && /copyright/i.test(part) && part.length > 500);
const missing = [...packages].filter((packageName) => !isNamed(packageName)).sort();
if (missing.length > 0 || packages.size < 10) {
  console.error(
    `third-party-notices.txt lacks ${missing.join(', ') || 'nearly everything: the source maps name too few packages'}.`,
  );
  process.exit(1);
}
console.log(`notices: all ${packages.size} packages of the page are named with their licences`);
