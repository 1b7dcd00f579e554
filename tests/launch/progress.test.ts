import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { print, printProgress } from '../../src/launch/output.ts';

const stdout = process.stdout as { isTTY?: boolean; columns?: number };
const before = { isTTY: stdout.isTTY, columns: stdout.columns };
let written: string[];

beforeEach(() => {
  written = [];
  vi.spyOn(console, 'log').mockImplementation((text) => written.push(`${text}\n`));
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => written.push(String(text)) > 0);
  vi.stubEnv('TERM', 'xterm');
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  vi.useRealTimers();
  Object.assign(stdout, before);
});

it('replaces an interim line of progress on a terminal, and cuts it to one row', () => {
  Object.assign(stdout, { isTTY: true, columns: 12 });
  printProgress('1 of 3 MB, as it goes', true);
  printProgress('2 of 3', true);
  print('done');
  print('next');
  // Escape sequences: to column 1, erase the line.
  expect(written.join('')).toBe('  1 of 3 MB\u001b[1G\u001b[2K  2 of 3\u001b[1G\u001b[2Kdone\nnext\n');
});

it.each([
  ['outside a terminal', false, 'xterm'],
  ['on a terminal that cannot move its cursor', true, 'dumb'],
])('%s prints an interim line only after 5 s without any line', (_where, isTTY, term) => {
  vi.stubEnv('TERM', term);
  Object.assign(stdout, { isTTY });
  vi.useFakeTimers();
  printProgress('begins');
  for (let second = 1; second <= 11; second += 1) {
    vi.advanceTimersByTime(1_000);
    printProgress(`after ${second} s`, true);
  }
  printProgress('ends');
  expect(written).toEqual(['  begins\n', '  after 5 s\n', '  after 10 s\n', '  ends\n']);
});
