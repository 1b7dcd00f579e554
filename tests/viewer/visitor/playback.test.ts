import { describe, expect, test } from 'vitest';
import type { RenderState } from '../../../src/protocol/wire/render-state.ts';
import { blend } from '../../../src/viewer/engine/visitor/blend.ts';
import { freshnessOf } from '../../../src/viewer/engine/visitor/freshness.ts';
import { createPlayback, PLAYBACK_DELAY_MS } from '../../../src/viewer/engine/visitor/playback.ts';

const UPRIGHT = [0, 0, 0, 1] as const;

/** A world in which the robot and its held cube have moved this far along x. */
function worldAt(xM: number, over: Partial<RenderState> = {}): RenderState {
  const pose = { position: [xM, 0, 0.8] as const, orientation: UPRIGHT };
  return {
    step: Math.round(xM * 120),
    simTimeS: xM,
    rootPose: pose,
    jointPositions: [xM, -xM],
    things: [{ entityId: 'cube_1', colour: 'red', held: true, position: [xM + 0.3, 0, 1], orientation: UPRIGHT }],
    collected: [],
    cameras: { pov: { ...pose, verticalFovDeg: 60 } },
    colourMode: 'natural',
    fixtures: [{ kind: 'conveyor', id: 'belt', travelM: xM }],
    ...over,
  };
}

describe('interpolation between two states', () => {
  test('every moving thing is interpolated between two states', () => {
    const half = blend(worldAt(1), worldAt(1.2), 0.5);
    expect(half.rootPose.position[0]).toBeCloseTo(1.1, 9);
    expect(half.jointPositions[0]).toBeCloseTo(1.1, 9);
    expect(half.things[0]?.position[0]).toBeCloseTo(1.4, 9);
    expect(half.cameras.pov.position[0]).toBeCloseTo(1.1, 9);
    expect(half.fixtures[0]?.travelM).toBeCloseTo(1.1, 9);
  });
  test('a rotation takes the short way, whichever sign its quaternion has', () => {
    const turned = (orientation: RenderState['rootPose']['orientation']) =>
      worldAt(1, { rootPose: { position: [1, 0, 0.8], orientation } });
    const half = blend(turned(UPRIGHT), turned([0, 0, -Math.SQRT1_2, -Math.SQRT1_2]), 0.5);
    const [, , z, w] = half.rootPose.orientation;
    expect(2 * Math.atan2(z, w)).toBeCloseTo(Math.PI / 4 - 2 * Math.PI, 9);
  });
  test.each([
    ['a robot that was put elsewhere', worldAt(1), worldAt(3)],
    ['a world that started from scratch', worldAt(1), worldAt(1.1, { simTimeS: 0 })],
    ['another body', worldAt(1), worldAt(1.1, { jointPositions: [1] })],
  ])('%s is not interpolated', (_what, earlier, later) => {
    expect(blend(earlier, later, 0.5)).toBe(earlier);
  });
  test('a cube that was put elsewhere stays in place until the later state', () => {
    const far = worldAt(1.1, {
      things: [{ entityId: 'cube_1', colour: 'red', held: false, position: [5, 5, 0], orientation: UPRIGHT }],
    });
    expect(blend(worldAt(1), far, 0.9).things[0]?.position).toEqual([1.3, 0, 1]);
  });
});

describe('a played stream', () => {
  /** The robot’s clock is an hour ahead of the viewer’s, and every packet takes at least 30 ms. */
  const AHEAD_MS = 3_600_000;
  const WAY_MS = 30;
  const play = (states: readonly (readonly [sentMs: number, xM: number, lateMs?: number])[]) => {
    const playback = createPlayback();
    for (const [sentMs, xM, lateMs = 0] of states)
      playback.take({ state: worldAt(xM), stateTimeMs: sentMs + AHEAD_MS }, sentMs + WAY_MS + lateMs);
    return playback;
  };
  const x = (playback: ReturnType<typeof play>, nowMs: number) => playback.shown(nowMs)?.rootPose.position[0];

  test('a played stream is shown slightly late and smoothly', () => {
    const playback = play([0, 50, 100, 150, 200].map((sentMs) => [sentMs, 1 + sentMs / 1_000]));
    const seen = [0, 10, 20, 30].map((ms) => x(playback, 200 + WAY_MS + ms));
    expect(seen).toEqual([1.08, 1.09, 1.1, 1.11].map((value) => expect.closeTo(value, 6)));
  });
  test('a played stream stays at the newest state, as the same object, when nothing arrives', () => {
    const playback = play([
      [0, 1],
      [50, 1.05],
    ]);
    expect(x(playback, 50 + WAY_MS + PLAYBACK_DELAY_MS)).toBe(1.05);
    expect(playback.shown(9_000)).toBe(playback.shown(12_000));
  });
  test('movement after a rest starts from its own start, not from the state before the rest', () => {
    const playback = play([
      [0, 1],
      [5_000, 1],
      [5_050, 1.05],
    ]);
    expect(x(playback, 5_000 + WAY_MS)).toBe(1);
    expect(x(playback, 5_025 + WAY_MS + PLAYBACK_DELAY_MS)).toBeCloseTo(1.025, 6);
  });
  test('a state that arrives late or twice changes nothing', () => {
    const playback = play([
      [0, 1],
      [100, 1.1],
      [50, 9, 90],
      [100, 9, 95],
    ]);
    expect(x(playback, 400)).toBe(1.1);
  });
  test('the age of a state counts from the fastest packet so far, whatever the clocks show', () => {
    const playback = play([
      [0, 1],
      [1_000, 1.1, 400],
    ]);
    expect(playback.ageMs(1_430)).toBe(400);
    expect(playback.ageMs(3_030)).toBe(2_000);
    expect([800, 1_001, 10_001].map((ms) => freshnessOf(ms))).toEqual(['live', 'old', 'lost']);
  });
  test('a robot whose clock was set back does not count as old', () => {
    const playback = play([[60_000, 1]]);
    playback.take({ state: worldAt(2), stateTimeMs: AHEAD_MS }, 61_000);
    expect(x(playback, 61_500)).toBe(2);
    expect(playback.ageMs(61_500)).toBe(500);
  });
  test('keeps at most one second of a fast stream', () => {
    const playback = createPlayback();
    for (let ms = 0; ms < 60_000; ms += 10) playback.take({ state: worldAt(1), stateTimeMs: ms }, ms);
    expect(playback.kept()).toBeLessThanOrEqual(103);
  });
  test('follows two clocks that drift apart', () => {
    const playback = createPlayback();
    // A tenth of a millisecond in each second, for an hour.
    for (let s = 0; s < 3_600; s += 1) playback.take({ state: worldAt(1), stateTimeMs: s * 1_000 }, s * 1_000.1);
    expect(playback.ageMs(3_599 * 1_000.1)).toBeLessThan(5);
  });
});
