import { describe, expect, it, vi } from 'vitest';
import { changedBetween, lookAtShared } from '../left-behind.ts';

const ignore = (): void => undefined;

/** Something that is left behind, how a test leaves it, and how it is undone. */
const LEFT: [name: string, leave: () => void, undo: () => void][] = [
  ['process.env.LEFT_BEHIND', () => void vi.stubEnv('LEFT_BEHIND', 'yes'), () => void vi.unstubAllEnvs()],
  ['globalThis.leftBehind', () => void vi.stubGlobal('leftBehind', 1), () => void vi.unstubAllGlobals()],
  ['globalThis.fetch', () => void vi.stubGlobal('fetch', ignore), () => void vi.unstubAllGlobals()],
  ['JSON.stringify', () => void vi.spyOn(JSON, 'stringify'), () => void vi.restoreAllMocks()],
  ['console.warn', () => void vi.spyOn(console, 'warn'), () => void vi.restoreAllMocks()],
  ['fake timers', () => void vi.useFakeTimers(), () => void vi.useRealTimers()],
  [
    'process.on unhandledRejection',
    () => void process.on('unhandledRejection', ignore),
    () => void process.off('unhandledRejection', ignore),
  ],
];

describe('the rest of a test file', () => {
  it.each(LEFT)('finds what a test file leaves behind: %s', (name, leave, undo) => {
    const before = lookAtShared();
    leave();
    const left = lookAtShared();
    undo();
    expect(changedBetween(before, left)).toContain(name);
    expect(changedBetween(before, lookAtShared())).toEqual([]);
  });
});
