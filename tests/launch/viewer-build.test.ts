import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'vite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isStale as areCommandsStale } from '../../scripts/compiled.mjs';
import { timeOfSources } from '../../scripts/vite/page-plugins.ts';
import { isStale } from '../../src/launch/viewer-build.ts';

let project: string;
const at = (path: string): string => join(project, path);
const LONG_AGO = new Date('2020-01-01');

beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), 'simplesim-built-'));
  mkdirSync(at('src/viewer'), { recursive: true });
  writeFileSync(at('index.html'), '<script type="module" src="/src/viewer/main.js"></script>');
  writeFileSync(at('src/viewer/main.js'), 'document.title = "one";');
  for (const path of ['index.html', 'src/viewer/main.js', 'src/viewer']) utimesSync(at(path), LONG_AGO, LONG_AGO);
});
afterEach(() => rmSync(project, { recursive: true, force: true }));

/** Builds the small page. @param whileBuilding runs after the page’s script was read */
const buildPage = (whileBuilding: () => void) =>
  build({
    root: project,
    configFile: false,
    logLevel: 'error',
    plugins: [timeOfSources(), { name: 'meanwhile', buildEnd: whileBuilding }],
  });

describe('a built page', () => {
  it('a built page is stale while it does not exist', () => {
    expect(isStale(project, at('dist'))).toBe(true);
  });

  it('a built page is not built again while nothing changes', async () => {
    await buildPage(() => {});
    expect(isStale(project, at('dist'))).toBe(false);
  });

  it('a built page is stale when a file changes after it was read and before the build ends', async () => {
    await buildPage(() => writeFileSync(at('src/viewer/main.js'), 'document.title = "two";'));
    expect(isStale(project, at('dist'))).toBe(true);
  });
});

describe('compiled commands', () => {
  beforeEach(() => {
    for (const folder of ['scripts/vite', 'scenes', 'compiled', 'src/launch']) mkdirSync(at(folder), { recursive: true });
    for (const file of ['package-lock.json', 'scripts/compile.mjs', 'scripts/vite/commands.ts', 'src/launch/simplesim.ts']) {
      writeFileSync(at(file), '');
      utimesSync(at(file), LONG_AGO, LONG_AGO);
    }
    for (const folder of ['src', 'src/launch', 'scenes']) utimesSync(at(folder), LONG_AGO, LONG_AGO);
  });

  it.each([
    ['of no time', '', true],
    ['older than a source', '2019-12-31T00:00:00.000Z', true],
    ['younger than every source', '2020-01-02T00:00:00.000Z', false],
  ])('compiled commands with a stamp %s are checked for staleness', (_, stamp, stale) => {
    writeFileSync(at('compiled/compiled-at.txt'), stamp);
    expect(areCommandsStale(project)).toBe(stale);
  });
});
