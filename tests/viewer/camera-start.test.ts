/** If one processor draws everything, the page’s picture is drawn before the cameras of a local robot start. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { EMPTY_OVERLAY } from '../../src/protocol/wire/render-state.ts';
import { createCameraStart } from '../../src/viewer/engine/camera-start.ts';
import { createFixture, settle } from './engine-fixture.ts';
import { FRAME, LAYOUT } from './fake-runtime.ts';

function turn(hidden = false) {
  let isHidden = hidden;
  const listeners = new Set<() => void>();
  let started = 0;
  const cameras = createCameraStart(
    {
      isHidden: () => isHidden,
      subscribe(listener) {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
    },
    () => {
      started += 1;
    },
  );
  return {
    cameras,
    started: () => started,
    listeners,
    hide() {
      isHidden = true;
      for (const listener of [...listeners]) listener();
    },
  };
}

describe('the start of the cameras', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('the cameras start once, when the picture is on the screen', () => {
    const { cameras, started, listeners } = turn();
    cameras.wait();
    cameras.wait();
    expect(started()).toBe(0);
    cameras.pictureIsShown();
    cameras.pictureIsShown();
    cameras.wait();
    expect(started()).toBe(1);
    expect(listeners.size).toBe(0);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('the cameras start at once if the picture is already on the screen', () => {
    const { cameras, started } = turn();
    cameras.pictureIsShown();
    expect(started()).toBe(0);
    cameras.wait();
    expect(started()).toBe(1);
  });

  it('the cameras start at once on a hidden page, and when a page becomes hidden', () => {
    const hidden = turn(true);
    hidden.cameras.wait();
    expect(hidden.started()).toBe(1);
    const seen = turn();
    seen.cameras.wait();
    seen.hide();
    expect(seen.started()).toBe(1);
    expect(seen.listeners.size).toBe(0);
  });

  it('the cameras start if no picture has appeared 5 s after the robot', () => {
    const { cameras, started } = turn();
    cameras.wait();
    vi.advanceTimersByTime(60_000);
    cameras.robotIsSettled();
    vi.advanceTimersByTime(2_000);
    cameras.robotIsSettled();
    vi.advanceTimersByTime(2_999);
    expect(started()).toBe(0);
    vi.advanceTimersByTime(1);
    expect(started()).toBe(1);
    const late = turn();
    late.cameras.robotIsSettled();
    late.cameras.wait();
    vi.advanceTimersByTime(5_000);
    expect(late.started()).toBe(1);
  });

  it('the cameras never start after the end of the page', () => {
    const { cameras, started } = turn();
    cameras.wait();
    cameras.dispose();
    cameras.pictureIsShown();
    vi.advanceTimersByTime(60_000);
    expect(started()).toBe(0);
  });
});

describe('a local robot on a machine with few cores', () => {
  it.each([
    ['is ready', { kind: 'ready' }],
    ['has failed', { kind: 'failed', message: 'The physics engine could not be started.' }],
  ] as const)(
    'a local robot starts its cameras without a picture some seconds after it %s, however long that took',
    async (_, update) => {
      vi.useFakeTimers();
      const { engine, emit, log } = createFixture(null, false, true, null, false);
      engine.tryHere();
      emit({ kind: 'layout', layout: LAYOUT });
      emit({ kind: 'frame', renderState: FRAME, overlay: EMPTY_OVERLAY });
      vi.advanceTimersByTime(60_000);
      emit(update);
      const picture = engine.capture('pov', 640, 480).catch(({ message }: Error) => message);
      vi.advanceTimersByTime(4_999);
      expect(log).not.toContain('cameras started');
      vi.advanceTimersByTime(1);
      vi.useRealTimers();
      if (update.kind === 'ready') expect(log).toContain('cameras started');
      else expect(await picture).toBe(update.message);
      engine.dispose();
    },
  );

  it('a local robot does not count the picture of a world that was restarted in the meantime', async () => {
    const { engine, emit } = createFixture(null, false, true, null, false);
    engine.tryHere();
    emit({ kind: 'layout', layout: LAYOUT });
    emit({ kind: 'frame', renderState: FRAME, overlay: EMPTY_OVERLAY });
    emit({ kind: 'ready' });
    const picture = engine.capture('pov', 640, 480);
    const refused = expect(picture).rejects.toThrow('The world was restarted before its cameras were ready. Ask again.');
    await settle();
    engine.tryHere('yard');
    await settle();
    emit({ kind: 'layout', layout: LAYOUT });
    emit({ kind: 'ready' });
    engine.pictureIsShown?.();
    await refused;
    engine.dispose();
  });

  it('a local robot starts its cameras after the picture', () => {
    const { engine, emit, log } = createFixture(null, false, true, null, false);
    engine.tryHere();
    emit({ kind: 'layout', layout: LAYOUT });
    emit({ kind: 'ready' });
    expect(log).not.toContain('cameras started');
    engine.pictureIsShown?.();
    expect(log).toContain('cameras started');
    engine.dispose();
  });

  it('a local robot serves a picture request that came early as soon as its cameras are built', async () => {
    const { engine, emit, finishWarmUp } = createFixture(null, false, true, null, false);
    engine.tryHere();
    emit({ kind: 'layout', layout: LAYOUT });
    emit({ kind: 'frame', renderState: FRAME, overlay: EMPTY_OVERLAY });
    emit({ kind: 'ready' });
    const picture = engine.capture('pov', 640, 480);
    await settle();
    engine.pictureIsShown?.();
    await settle();
    finishWarmUp();
    expect((await picture).type).toBe('image/jpeg');
    engine.dispose();
  });
});
