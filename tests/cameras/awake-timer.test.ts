import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startAwakeTimer } from '../../src/cameras/awake-timer.ts';

describe('a timer that counts only while the page runs', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('the timer fires after its time in a page that runs', () => {
    const onExpiry = vi.fn();
    startAwakeTimer(10_000, onExpiry);
    vi.advanceTimersByTime(9_999);
    expect(onExpiry).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(onExpiry).toHaveBeenCalledOnce();
    vi.advanceTimersByTime(60_000);
    expect(onExpiry).toHaveBeenCalledOnce();
  });

  it('the timer does not count the time in which the page was suspended', () => {
    const onExpiry = vi.fn();
    let stoodMs = 0;
    startAwakeTimer(10_000, onExpiry, () => performance.now() + stoodMs);
    vi.advanceTimersByTime(4_500);
    stoodMs = 25_000;
    vi.advanceTimersByTime(3_000);
    expect(onExpiry).not.toHaveBeenCalled();
    vi.advanceTimersByTime(5_000);
    expect(onExpiry).toHaveBeenCalledOnce();
  });

  it('the timer never fires after it was stopped', () => {
    const onExpiry = vi.fn();
    const end = startAwakeTimer(10_000, onExpiry);
    vi.advanceTimersByTime(5_000);
    end();
    vi.advanceTimersByTime(60_000);
    expect(onExpiry).not.toHaveBeenCalled();
  });
});
