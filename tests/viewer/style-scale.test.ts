/** Font sizes, gaps, paddings and margins of the page are steps of the scales in `tokens.css`. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT_DIR = join(import.meta.dirname, '../..');
const VIEWER_DIR = join(ROOT_DIR, 'src/viewer');
const STYLES_DIR = join(VIEWER_DIR, 'styles');
const TOKENS = readFileSync(join(STYLES_DIR, 'tokens.css'), 'utf8');
const STEPS = new Set(TOKENS.match(/--(?:space|text)-\w+(?=:)/g));

const lineAt = (text: string, index: number): number => text.slice(0, index).split('\n').length;
const filesIn = (folder: string, ends: RegExp): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => ends.test(name))
    .map((name) => join(folder, name));

/** Returns each declaration off the scales, with file and line, except below a comment "Off the scale: …" with a reason. */
function offScale(file: string, text: string): string[] {
  const found: string[] = [];
  const declarations =
    /(?<reason>\/\* Off the scale: [^*]*\*\/\s*)?(?<![\w-])(?<property>font-size|font|(?:(?:row|column)-)?gap|(?:padding|margin)(?:-[a-z-]+)?):(?<value>[^;{}]*)/g;
  for (const { index, groups: { reason, property = '', value = '' } = {} } of text.matchAll(declarations)) {
    const size = property === 'font' ? value.replace(/\/\s*\S+/, '') : value;
    const unknown = [...size.matchAll(/var\((--(?:space|text)-\w+)/g)].some(([, step = '']) => !STEPS.has(step));
    if (unknown || (reason === undefined && /\d(?:px|r?em|pt)\b/.test(size)))
      found.push(`${file}:${lineAt(text, index + (reason?.length ?? 0))} ${property}:${value.replace(/\s+/g, ' ')}`);
  }
  return found;
}

/** Returns each attribute `style` that sets such a size, with file and line. */
const inlineSizes = (file: string, text: string): string[] =>
  [...text.matchAll(/style=\{\{[^}]*\b(?:fontSize|gap|rowGap|columnGap|padding\w*|margin\w*):[^}]*/g)].map(
    ({ index, 0: found }) => `${file}:${lineAt(text, index)} ${found}`,
  );

describe('the scales of space and type', () => {
  it('every style sheet of the page takes its font sizes, gaps, paddings and margins from the scales', () => {
    const sheets = filesIn(STYLES_DIR, /(?<!tokens)\.css$/);
    expect(sheets.length).toBeGreaterThan(20);
    expect(sheets.flatMap((path) => offScale(relative(ROOT_DIR, path), readFileSync(path, 'utf8')))).toEqual([]);
  });

  it('no component of the page sets a font size, a gap, a padding or a margin itself', () => {
    const components = filesIn(VIEWER_DIR, /\.tsx$/);
    expect(components.length).toBeGreaterThan(100);
    expect(components.flatMap((path) => inlineSizes(relative(ROOT_DIR, path), readFileSync(path, 'utf8')))).toEqual([]);
  });

  it('a size off the scale is reported with its file and line, unless a comment gives the reason', () => {
    const sheet = `.a {
  gap: 10px;
  padding: var(--space-2) 0;
  font: 600 14px / 20px var(--font);
}
.b {
  /* Off the scale: room for the icon. */
  padding-left: 36px;
  margin: var(--space-99);
  font-size:
    0.9em;
}
`;
    expect(offScale('a.css', sheet)).toEqual([
      'a.css:2 gap: 10px',
      'a.css:4 font: 600 14px / 20px var(--font)',
      'a.css:9 margin: var(--space-99)',
      'a.css:10 font-size: 0.9em',
    ]);
    expect(inlineSizes('A.tsx', '<p\n  style={{ width: 4, fontSize: 13 }} />')).toEqual([
      'A.tsx:2 style={{ width: 4, fontSize: 13 ',
    ]);
  });
});
