import { describe, expect, test } from 'vitest';
import { itemsOf } from '../../src/viewer/engine/browser-storage.ts';
import {
  BEST_LEVEL,
  levelAt,
  levelFor,
  QUALITY_CHOICES,
  qualityText,
  storedQuality,
  storeQuality,
} from '../../src/viewer/ui/world/picture/quality.ts';
import { createQualityGovernor, type QualityGovernor } from '../../src/viewer/ui/world/picture/quality-governor.ts';

const frames = (governor: QualityGovernor, count: number, gapMs: number) => {
  for (let k = 0; k < count; k++) governor.frame(gapMs);
};

describe('a graphics card', () => {
  test('a graphics card keeps the best picture while frames are in time', () => {
    const governor = createQualityGovernor();
    frames(governor, 2_000, 16.7);
    expect(governor.level()).toBe(BEST_LEVEL);
  });

  test('a graphics card gets less to draw, step by step, until frames are in time', () => {
    const governor = createQualityGovernor();
    const costMs = [10, 14, 18, 34, 60];
    for (let k = 0; k < 1_000; k++) governor.frame(Math.max(16.7, costMs[governor.level()] ?? 0));
    expect(governor.level()).toBe(2);
  });

  test('a graphics card is not judged by a few late frames, nor by pauses', () => {
    const governor = createQualityGovernor();
    for (let k = 0; k < 400; k++) governor.frame(k % 8 === 0 ? 40 : 16.7);
    frames(governor, 200, 900);
    expect(governor.level()).toBe(BEST_LEVEL);
  });

  test('a graphics card is tried with more again after a while, and less often after each failure', () => {
    const governor = createQualityGovernor();
    const tries: number[] = [];
    let before = governor.level();
    for (let k = 0; k < 20_000; k++) {
      governor.frame(governor.level() >= BEST_LEVEL ? 30 : 16.7);
      if (governor.level() > before) tries.push(k);
      before = governor.level();
    }
    expect(tries.length).toBeGreaterThanOrEqual(3);
    const waits = tries.map((at, k) => at - (tries[k - 1] ?? 0));
    for (let k = 1; k < waits.length; k++) expect(waits[k]).toBeGreaterThan(1.7 * (waits[k - 1] ?? 0));
  });

  test('a graphics card is not blamed for a display with thirty frames a second', () => {
    const governor = createQualityGovernor();
    for (let k = 0; k < 40; k++) governor.idle(33.3);
    frames(governor, 400, 33.3);
    expect(governor.level()).toBe(BEST_LEVEL);
    frames(governor, 400, 66.6);
    expect(governor.level()).toBeLessThan(BEST_LEVEL);
  });
});

describe('quality', () => {
  test('the quality uses the learned step only with a graphics card and in automatic mode', () => {
    expect(levelFor('auto', 'hardware', 3)).toBe(3);
    expect(levelFor('high', 'hardware', 0)).toBe(BEST_LEVEL);
    expect(levelAt(levelFor('auto', 'software', BEST_LEVEL))).toMatchObject({ stage: 'low', shadows: false });
    expect(levelAt(levelFor('high', 'software', 0))).toMatchObject({ stage: 'high', shadows: true });
  });

  test('the quality costs less at every step down', () => {
    for (let level = 1; level <= BEST_LEVEL; level++) {
      const [less, more] = [levelAt(level - 1), levelAt(level)];
      expect(less.pixelRatio).toBeLessThanOrEqual(more.pixelRatio);
      expect(Number(less.shadows)).toBeLessThanOrEqual(Number(more.shadows));
    }
  });

  test('the quality describes its effect and reason in one sentence, which differs for each state', () => {
    const said = [
      ...QUALITY_CHOICES.map((choice) => qualityText(choice, 'software', 0)),
      ...QUALITY_CHOICES.map((choice) => qualityText(choice, 'hardware', BEST_LEVEL)),
      ...[0, 1, 2, 3].map((level) => qualityText('auto', 'hardware', level)),
    ];
    expect(new Set(said).size).toBe(said.length);
    for (const sentence of said) expect(sentence).toMatch(/^Drawn (?:by the|without a) graphics card[^.]*\.$/);
  });

  test('the quality is remembered, and is automatic if storage is forbidden or contains another value', () => {
    const kept = new Map<string, string>();
    const storage = itemsOf(() => ({
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => void kept.set(key, value),
      removeItem: (key: string) => void kept.delete(key),
    }));
    expect(storedQuality(storage)).toBe('auto');
    storeQuality('medium', storage);
    expect(storedQuality(storage)).toBe('medium');
    for (const key of kept.keys()) kept.set(key, 'ultra');
    expect(storedQuality(storage)).toBe('auto');
    const forbidden = itemsOf(() => {
      throw new DOMException('denied', 'SecurityError');
    });
    expect(storedQuality(forbidden)).toBe('auto');
    expect(() => storeQuality('low', forbidden)).not.toThrow();
  });
});
