import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Arrows, circlesOf, essentialArrows, viewerArrows } from '../../scripts/docs/import-arrows.ts';
import { structureDrawing } from '../../scripts/docs/structure-drawing.ts';

const arrows = (lines: Record<string, string>): Arrows =>
  new Map(Object.entries(lines).map(([from, targets]) => [from, new Set(targets.split(' '))]));
const plain = (of: Arrows) => Object.fromEntries([...of].map(([from, targets]) => [from, [...targets].join(' ')]));
const SRC = join(import.meta.dirname, '../../src');

describe('arrows of imports', () => {
  it('leaves out an arrow that follows from others', () => {
    const all = arrows({ page: 'parts data', parts: 'data' });
    expect(plain(essentialArrows(all))).toEqual({ page: 'parts', parts: 'data' });
    expect(circlesOf(all)).toEqual([]);
  });

  it('keeps both arrows of a circle, and every arrow to it', () => {
    const all = arrows({ page: 'bar drive', bar: 'drive', drive: 'bar' });
    expect(circlesOf(all)).toEqual([['bar', 'drive']]);
    expect(plain(essentialArrows(all))).toEqual({ page: 'bar drive', bar: 'drive', drive: 'bar' });
  });

  it('finds no circle among the folders of the viewer', () => {
    expect(circlesOf(viewerArrows(SRC))).toEqual([]);
  });

  it('draws every part and every arrow once', () => {
    const drawing = structureDrawing('A drawing', arrows({ page: 'parts data', parts: 'data' }));
    expect(drawing.match(/<text /g)).toHaveLength(3);
    expect(drawing.match(/<path /g)).toHaveLength(3);
  });
});
