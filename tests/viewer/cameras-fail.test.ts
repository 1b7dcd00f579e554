import { describe, expect, it } from 'vitest';
import { CameraError } from '../../src/cameras/camera-error.ts';
import { withDebugLog } from '../../src/viewer/engine/debug-log.ts';
import { createEngine } from '../../src/viewer/engine/engine.ts';
import { createFixture, KEY, settle } from './engine-fixture.ts';
import { LAYOUT } from './fake-runtime.ts';

const another = () => ({ kind: 'layout' as const, layout: { ...LAYOUT } });

/** A live robot whose cameras work at first and fail in the next place. */
async function failedIn(error: Error) {
  const fixture = createFixture(KEY);
  await fixture.goLive();
  fixture.failLayouts(error);
  fixture.emit(another());
  await settle();
  return fixture;
}

const problemOf = (fixture: ReturnType<typeof createFixture>) =>
  fixture.state().loading.find(({ id }) => id === 'cameras')?.problem;

describe('cameras that fail in another place', () => {
  it('failed cameras report the reason on the page and to the caller that asks for a picture', async () => {
    const error = CameraError.timeout(30_000);
    const fixture = await failedIn(error);
    expect(problemOf(fixture)).toBe(error.message);
    await expect(fixture.engine.capture('pov', 64, 64)).rejects.toThrow(error.message);
    expect(fixture.cameras).toEqual(['ready', 'broken']);
  });

  it('failed cameras are built again at the next place', async () => {
    const fixture = await failedIn(CameraError.workerLost('the worker stopped'));
    fixture.failLayouts(null);
    fixture.emit(another());
    await settle();
    const picture = fixture.engine.capture('pov', 64, 64);
    expect(problemOf(fixture)).toBeUndefined();
    expect(fixture.cameras).toEqual(['ready', 'broken', 'starting']);
    fixture.finishWarmUp();
    expect((await picture).type).toBe('image/jpeg');
    expect(fixture.cameras).toEqual(['ready', 'broken', 'starting', 'ready']);
    expect(fixture.log.filter((line) => line.startsWith('cameras'))).toEqual([
      'cameras started',
      'cameras got a layout',
      'cameras disposed',
      'cameras started',
    ]);
  });

  it('cameras are built at once for a place that arrived before the failure was known, and fail once', async () => {
    const fixture = createFixture(KEY);
    await fixture.goLive();
    fixture.failLayouts(CameraError.timeout(30_000));
    fixture.emit(another());
    fixture.emit(another());
    await settle();
    fixture.finishWarmUp();
    await settle();
    expect(fixture.cameras).toEqual(['ready', 'broken', 'starting', 'ready']);
  });

  it('failed cameras are recorded in the debug log', async () => {
    const fixture = createFixture();
    const lines: string[] = [];
    createEngine(
      withDebugLog({ ...fixture.deps, takenKey: KEY }, (what, facts) => void lines.push(`${what} ${String(facts?.error)}`)),
    );
    fixture.emit(another());
    await settle();
    fixture.failLayouts(new Error('no such place'));
    fixture.emit(another());
    await settle();
    expect(lines).toContain('cameras: another place: failed Error: no such place');
  });
});
