/** The check of words: which expressions it finds, where, and how it counts them. */
import { describe, expect, it } from 'vitest';
import { findingsIn, looseAllowances, problemsIn } from '../../scripts/words/findings.ts';

const foundIn = (file: string, source: string): [name: string, line: number][] =>
  findingsIn(file, source).map(({ name, line }) => [name, line]);

describe('the check of words', () => {
  it('finds an expression in prose of Markdown, and leaves out code', () => {
    const page = '# Title\n\nThe tab says so.\n\n```ts\nsays(); // nobody\n```\n\nRun `says`. Nobody goes on.\n';
    expect(foundIn('a.md', page)).toEqual([
      ['says', 3],
      ['nobody', 9],
      ['go on', 9],
    ]);
  });

  it('finds a line of Markdown over 120 columns, but not in a table', () => {
    expect(foundIn('a.md', `${'word '.repeat(25)}\n| ${'word '.repeat(25)}|\n`)).toEqual([['long line', 1]]);
  });

  it('finds an expression in comments, strings of three words and text of elements', () => {
    const source = [
      '/** What a tab says. */',
      "const says = 'says'; // Whoever asks",
      "export const text = 'It goes on here';",
      'export const page = <p>Nobody drives this robot</p>;',
      'export const note = `is told anew`;',
    ].join('\n');
    expect(foundIn('a.tsx', source)).toEqual([
      ['says', 1],
      ['opens with who', 1],
      ['nobody', 2],
      ['opens with who', 2],
      ['go on', 3],
      ['nobody', 4],
      ['says', 5],
      ['anew', 5],
    ]);
  });

  it('reads comments on lines below each other as one', () => {
    expect(foundIn('a.ts', '// The page shows\n// What it has. It goes\n// on.\n\n// What it has\n')).toEqual([
      ['go on', 2],
      ['opens with who', 5],
    ]);
  });

  it('finds an expression in docstrings, comments and strings of Python', () => {
    const source = 'def a() -> str:\n    """Tells the\n    caller anew."""\n    # nobody\n    return "it is none here"\n';
    expect(foundIn('a.py', source)).toEqual([
      ['says', 2],
      ['anew', 3],
      ['nobody', 4],
      ['is none', 5],
    ]);
  });

  it('accepts plain English that resembles an expression', () => {
    const plain = 'There is no robot. It is no longer than 2 m. Whose robot is it? A standing robot. For it, use `anew`.';
    expect(foundIn('a.ts', `// ${plain}`)).toEqual([['history', 1]]);
  });

  it('reports more findings than a file may have, and none in a file that has as many', () => {
    const findings = findingsIn('a.md', 'It says. He says.\n\nAnew.\n');
    expect(problemsIn('a.md', findings, { 'a.md': { says: 2, anew: 1 } })).toEqual([]);
    expect(problemsIn('a.md', findings, { 'a.md': { says: 1, anew: 1 } })).toEqual([
      'a.md:1: "says" (2 in this file, 1 allowed). Write: reports, returns, shows, prints, logs.',
      'a.md:1: "says" (2 in this file, 1 allowed). Write: reports, returns, shows, prints, logs.',
    ]);
    expect(problemsIn('a.md', findings, {})).toHaveLength(3);
  });

  it('reports the line of a finding in a comment that begins on a line of its own', () => {
    expect(foundIn('a.ts', '/**\n * One.\n * Nobody.\n */\n/*\n\n\n Nobody */\n')).toEqual([
      ['nobody', 3],
      ['nobody', 8],
    ]);
    expect(foundIn('a.ts', '/**\n * What it is.\n */\n')).toEqual([['opens with who', 2]]);
  });

  it.each([
    ['tildes', '~~~\nnobody\n~~~'],
    ['an indented fence', '- a list\n\n  ```sh\n  nobody\n  ```'],
    ['a fence around a fence', '````md\n```\nnobody\n```\nnobody\n````'],
    ['a fence without an end', '```\nnobody'],
  ])('leaves out code of %s', (_, block) => {
    expect(foundIn('a.md', `Nobody.\n\n${block}`)).toEqual([['nobody', 1]]);
  });

  it('reads the prose behind a fence that ends with spaces', () => {
    expect(foundIn('a.md', '```\ncode\n```  \nNobody.\n\n```\ncode\n```\n')).toEqual([['nobody', 4]]);
  });

  it('reads 30,000 findings without searching the text again for each', () => {
    expect(findingsIn('a.md', 'nobody\n'.repeat(30_000)).at(-1)).toMatchObject({ line: 30_000 });
  });

  it('reports an allowance that is higher than the count, and one of a missing file', () => {
    const allowed = { 'a.md': { says: 2, anew: 1 }, 'gone.md': { says: 1 } };
    expect(looseAllowances({ 'a.md': { says: 1, anew: 1 } }, allowed)).toEqual([
      'scripts/words/allowed.json allows 2 times "says" in a.md, which has 1. Run: npm run words -- --write',
      'scripts/words/allowed.json allows 1 times "says" in gone.md, which has 0. Run: npm run words -- --write',
    ]);
    expect(looseAllowances({ 'a.md': { says: 3 } }, { 'a.md': { says: 3 } })).toEqual([]);
  });
});
