import { describe, expect, it } from 'vitest';
import { LEASE_CHANGES_AT_ONCE_MAX, LEASE_CHANGES_OF_ALL_MAX, LEASE_CHANGES_WITHIN_MS } from '../../src/protocol/wire/driver.ts';
import { ask, driverOf, refused } from './lease-calls.ts';
import { createTestRuntime, type Reply } from './test-runtime.ts';

const tooOften = { status: 'failed', error: { code: 'BUSY', details: { limit: 'control_changes' } } };

describe('a lease that changes its holder again and again', () => {
  it('stops notifying the room of a caller that takes and releases endlessly, and reports when it may continue', async () => {
    const t = await createTestRuntime();
    const replies: Reply[] = [];
    for (let k = 0; k < 1_000; k += 1) {
      replies.push(ask(t, 'ann', 'take'));
      ask(t, 'ann', 'release');
    }
    expect(replies.filter(({ status }) => status === 'done')).toHaveLength(LEASE_CHANGES_AT_ONCE_MAX);
    expect(t.events).toHaveLength(2 * LEASE_CHANGES_AT_ONCE_MAX);
    const { error } = replies.at(-1);
    expect(error.message).toContain(`${LEASE_CHANGES_AT_ONCE_MAX} times in 10 s`);
    expect(error.details).toMatchObject({
      limit: 'control_changes',
      retry_after_ms: LEASE_CHANGES_WITHIN_MS,
      attempted: false,
      world_changed: 'no',
      retryable: true,
    });
    expect(ask(t, 'bob', 'take')).toMatchObject({ status: 'done', result: { you_drive: true } });
    ask(t, 'bob', 'release');
    t.nowMs += LEASE_CHANGES_WITHIN_MS - 1;
    expect(ask(t, 'ann', 'take').error.details.retry_after_ms).toBe(1);
    t.nowMs += 1;
    expect(ask(t, 'ann', 'take')).toMatchObject({ status: 'done', result: { you_drive: true } });
  });

  it('never rejects a release, a renewal, a handover, or a call without effect', async () => {
    const t = await createTestRuntime();
    for (let k = 0; k < LEASE_CHANGES_AT_ONCE_MAX; k += 1) {
      if (k > 0) ask(t, 'ann', 'release');
      ask(t, 'ann', 'take');
    }
    for (const action of ['take', 'ask', 'renew'])
      for (let k = 0; k < 50; k += 1) expect(ask(t, 'ann', action).status).toBe('done');
    ask(t, 'bob', 'ask');
    for (let k = 0; k < 50; k += 1) expect(ask(t, 'bob', 'ask').status).toBe('done');
    for (let k = 0; k < 50; k += 1) expect(ask(t, 'eve', 'take')).toMatchObject(refused);
    expect(ask(t, 'ann', 'give')).toMatchObject({ status: 'done', result: { driver: { identity: 'bob' } } });
    expect(ask(t, 'bob', 'release').status).toBe('done');
    expect(ask(t, 'eve', 'take').status).toBe('done');
    expect(ask(t, 'ann', 'ask')).toMatchObject(tooOften);
  });

  it('counts asking and withdrawing the question as the same flood', async () => {
    const t = await createTestRuntime();
    ask(t, 'ann', 'take');
    for (let k = 0; k < 1_000; k += 1) {
      ask(t, 'bob', 'ask');
      ask(t, 'bob', 'release');
    }
    expect(t.events).toHaveLength(1 + LEASE_CHANGES_AT_ONCE_MAX);
    expect(driverOf(t)).toMatchObject({ identity: 'ann', asked_by: [] });
  });

  it('counts a caller that left the room and came back under the same name as the same caller', async () => {
    const t = await createTestRuntime();
    for (let k = 0; k < 1_000; k += 1) {
      ask(t, 'ann', 'take');
      t.runtime.noteLeft('ann', t.nowMs);
    }
    expect(t.events).toHaveLength(2 * LEASE_CHANGES_AT_ONCE_MAX);
  });

  it('many names of one flood exceed the common limit, but the first turn of another caller succeeds', async () => {
    const t = await createTestRuntime();
    for (let k = 0; k < 1_000; k += 1) {
      ask(t, `flood-${k % 10}`, 'take');
      ask(t, `flood-${k % 10}`, 'release');
    }
    expect(t.events.length).toBeLessThanOrEqual(2 * (LEASE_CHANGES_OF_ALL_MAX + 10));
    expect(ask(t, 'ann', 'take')).toMatchObject({ status: 'done', result: { you_drive: true } });
  });
});
