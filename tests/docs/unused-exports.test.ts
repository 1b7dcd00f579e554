import { describe, expect, it } from 'vitest';
import { namesOf, unusedExports } from '../../scripts/unused-exports.ts';

const problemsOf = (sources: Record<string, string>): string[] =>
  unusedExports(Object.entries(sources).map(([file, source]) => namesOf('/src', `/src/${file}`, source)));
const unused = (file: string, name: string): string =>
  `src/${file}: exports ${name}, which no file imports; take the export away, or what it exports`;

describe('exports that nobody imports', () => {
  it('are told by file and name, types left out', () => {
    const a =
      'export const one = 1; export function two() { return one; } export class Three {} export type Four = 4; export interface Five {}';
    expect(problemsOf({ 'a.ts': a })).toEqual(['one', 'two', 'Three'].map((name) => unused('a.ts', name)));
  });

  it('are none that another file imports, a test too, as a value or as a type', () => {
    expect(
      problemsOf({
        'a.ts': 'export const one = 1; export class Two {} export const three = 3; const own = 4; export { own as four }',
        'b.ts': "import { one as first } from './a.ts'; import type { Two } from './a.ts'; let _: Two = first;",
        '../tests/a.test.ts': "import { four, three } from '../src/a.ts'; three(four);",
      }),
    ).toEqual([]);
  });

  it('are none of a file that is taken whole: under a name, passed on, or loaded later', () => {
    const a = 'export const one = 1;';
    for (const b of [
      "import * as a from './a.ts'; a.one;",
      "export * from './a.ts';",
      "const later = () => import('./a.ts'); later();",
    ])
      expect(problemsOf({ 'a.ts': a, 'b.ts': b })).toEqual([]);
  });

  it('are those that are only passed on, where nobody takes them', () => {
    expect(problemsOf({ 'a.ts': 'export const one = 1;', 'b.ts': "export { one } from './a.ts';" })).toEqual([
      unused('b.ts', 'one'),
    ]);
  });
});
