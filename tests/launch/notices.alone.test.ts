/** The notices of the page; `npm run notices` compares those of the built page with its source maps. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';
import { expect, it } from 'vitest';
import { noticesText, thirdPartyNotices } from '../../scripts/vite/third-party-notices.ts';
import { workersInBuild } from '../../scripts/vite/workers-in-build.ts';

const PROJECT_DIR = join(import.meta.dirname, '../..');

it('names the packages in a page and in its workers, with the texts of their licences', async () => {
  mkdirSync(join(PROJECT_DIR, '.cache'), { recursive: true });
  // In the project, where packages are found.
  const root = mkdtempSync(join(PROJECT_DIR, '.cache/notices-'));
  try {
    writeFileSync(join(root, 'index.html'), '<script type="module" src="/page.js"></script>');
    writeFileSync(
      join(root, 'page.js'),
      "import './page.css';\nimport qr from 'qr';\nconsole.log(qr);\nnew Worker(new URL('./worker.js', import.meta.url), { type: 'module' });\n",
    );
    const font = '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2';
    writeFileSync(join(root, 'page.css'), `@font-face { font-family: Inter; src: url(${font}); }\n`);
    writeFileSync(join(root, 'worker.js'), "import { createStore } from 'zustand/vanilla';\nconsole.log(createStore);\n");
    await build({
      configFile: false,
      root,
      logLevel: 'error',
      plugins: [workersInBuild(), thirdPartyNotices()],
    });
    const text = readFileSync(join(root, 'dist/third-party-notices.txt'), 'utf8');
    for (const name of ['@fontsource-variable/inter', 'qr', 'zustand']) expect(text).toMatch(new RegExp(`^${name} \\d+\\.`, 'm'));
    expect(text).toContain('SIL OPEN FONT LICENSE');
    expect(text).toContain('Permission is hereby granted');
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}, 120_000);

it('does not silently skip a package without a known text', () => {
  const folder = mkdtempSync(join(PROJECT_DIR, '.cache/notices-'));
  try {
    const one = { name: 'odd', version: '1.0.0', author: 'Ada', folder };
    expect(noticesText([{ ...one, licence: 'MIT' }])).toContain('Copyright (c) Ada');
    expect(() => noticesText([{ ...one, licence: 'Odd-1.0' }])).toThrow('The package odd (Odd-1.0) contains no licence text.');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
