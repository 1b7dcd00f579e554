import { describe, expect, it } from 'vitest';
import { circleProblems, fileCircles, type Import } from '../../scripts/structure.ts';

const imports = (lines: Record<string, string>): Import[] =>
  Object.entries(lines).flatMap(([file, targets]) => targets.split(' ').map((target) => ({ file, specifier: target, target })));
const PACKAGE: Import = { file: 'a.ts', specifier: 'three', target: null };

describe('circles of files', () => {
  it('are none where files import downwards, each as often as it likes', () => {
    const all = [...imports({ 'a.ts': 'b.ts c.ts', 'b.ts': 'c.ts d.ts', 'c.ts': 'd.ts ../package.json' }), PACKAGE];
    expect(fileCircles(all)).toEqual([]);
    expect(circleProblems(all)).toEqual([]);
  });

  it('are found each, with all files that import each other by way of others', () => {
    const all = imports({ 'a.ts': 'b.ts x.ts', 'b.ts': 'c.ts', 'c.ts': 'a.ts', 'x.ts': 'y.ts', 'y.ts': 'x.ts z.ts' });
    expect(fileCircles(all)).toEqual([
      ['a.ts', 'b.ts', 'c.ts'],
      ['x.ts', 'y.ts'],
    ]);
  });

  it('are told by the shortest way round', () => {
    const all = imports({
      'runtime/a.ts': 'runtime/b.ts runtime/c.ts',
      'runtime/b.ts': 'runtime/c.ts',
      'runtime/c.ts': 'runtime/a.ts',
    });
    expect(circleProblems(all)).toEqual([
      'src/runtime/a.ts → src/runtime/c.ts → src/runtime/a.ts: a circle of files, types included; move what both sides name to a file below them',
    ]);
  });
});
