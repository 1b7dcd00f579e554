import { describe, expect, it } from 'vitest';
import { DRIVER_SILENT_MS, LEASE_CHANGES_AT_ONCE_MAX, LEASE_CHANGES_WITHIN_MS } from '../../src/protocol/wire/driver.ts';
import { createChance } from '../oracle/chance.ts';
import { ask, head, refused } from './lease-calls.ts';
import { createTestRuntime } from './test-runtime.ts';

const SILENT_MS = DRIVER_SILENT_MS.simulator;

describe('the lease under random interleavings', () => {
  const PEOPLE = ['ann', 'bob', 'eve'] as const;

  it.each([1, 2, 3, 4])('never has two commanders, judged by an independent oracle (seed %i)', async (seed) => {
    const chance = createChance(seed);
    const t = await createTestRuntime();
    let driver: string | null = null;
    let heardAtMs = 0;
    const asked = new Map<string, number>();
    const turns: { who: string; atMs: number }[] = [];
    for (let turn = 0; turn < 3_000; turn += 1) {
      t.nowMs += chance.weighted([
        [6, 1],
        [3, chance.below(900)],
        [1, chance.below(11_000)],
      ]);
      if (driver !== null && t.nowMs - heardAtMs >= SILENT_MS) driver = null;
      if (driver === null) asked.clear();
      for (const [name, atMs] of asked) if (t.nowMs - atMs >= SILENT_MS) asked.delete(name);
      const who = chance.oneOf(PEOPLE);
      const deed = chance.oneOf([
        'take',
        'ask',
        'give',
        'release',
        'renew',
        'command',
        'command',
        'leave',
        'freeze',
        'step',
      ] as const);
      const drives = driver === who;
      if (drives && !['leave', 'freeze', 'step'].includes(deed)) heardAtMs = t.nowMs;
      switch (deed) {
        case 'command': {
          const { status, error } = head(t, who) ?? { status: 'running' };
          const isRefused = status === 'failed' && error.code === 'NOT_CONTROLLER';
          expect(isRefused, `turn ${turn}: ${who}, driven by ${driver}`).toBe(driver !== null && !drives);
          t.advance(3);
          break;
        }
        case 'leave':
          t.runtime.noteLeft(who, t.nowMs);
          if (drives) driver = null;
          asked.delete(who);
          break;
        case 'freeze': {
          const gapMs = 1_001 + chance.below(30_000);
          t.nowMs += gapMs;
          t.runtime.noteSuspended(gapMs, t.nowMs);
          heardAtMs += gapMs;
          for (const [name, atMs] of asked) asked.set(name, atMs + gapMs);
          break;
        }
        case 'step':
          t.advance(1);
          break;
        case 'take':
        case 'ask': {
          const reply = ask(t, who, deed);
          const isNew = driver === null || (deed === 'ask' && !drives && !asked.has(who));
          const own = turns.filter((turn) => turn.who === who && t.nowMs - turn.atMs < LEASE_CHANGES_WITHIN_MS);
          expect(reply.error?.code === 'BUSY', `turn ${turn}`).toBe(isNew && own.length >= LEASE_CHANGES_AT_ONCE_MAX);
          if (reply.error?.code === 'BUSY') break;
          if (isNew) turns.push({ who, atMs: t.nowMs });
          if (driver === null || drives) expect(reply.result?.you_drive, `turn ${turn}`).toBe(true);
          else if (deed === 'take') expect(reply).toMatchObject(refused);
          else asked.set(who, t.nowMs);
          if (driver === null) [driver, heardAtMs] = [who, t.nowMs];
          break;
        }
        case 'give': {
          const to = chance.oneOf(PEOPLE);
          const reply = ask(t, who, 'give', { to });
          const isGiven = drives && asked.has(to);
          expect(reply.status, `turn ${turn}: ${who} to ${to}`).toBe(isGiven ? 'done' : 'failed');
          if (!isGiven) break;
          [driver, heardAtMs] = [to, t.nowMs];
          asked.delete(to);
          break;
        }
        case 'release':
          ask(t, who, 'release');
          if (drives) driver = null;
          asked.delete(who);
          break;
        case 'renew':
          expect(ask(t, who, 'renew').status).toBe(drives ? 'done' : 'failed');
          break;
      }
    }
  });

  it('gives the lease to one of two simultaneous takers, and rejects the other, 1,000 times of 1,000', async () => {
    const chance = createChance(7);
    const t = await createTestRuntime();
    for (let race = 0; race < 1_000; race += 1) {
      const order = chance.happens(0.5) ? ['ann', 'bob'] : ['bob', 'ann'];
      const [first, second] = order.map((who) => ask(t, who, 'take'));
      expect(first.result.you_drive).toBe(true);
      expect(second.error).toMatchObject({ code: 'NOT_CONTROLLER', details: { driver: { identity: order[0] } } });
      ask(t, String(order[0]), 'release');
      t.nowMs += LEASE_CHANGES_WITHIN_MS / LEASE_CHANGES_AT_ONCE_MAX;
    }
  });
});
