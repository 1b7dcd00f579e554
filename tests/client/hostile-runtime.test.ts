import { describe, expect, it } from 'vitest';
import { EventFeed } from '../../src/client/internal/action-events.ts';
import { FakeRoom } from './helpers/fake-room.ts';
import { fakeSession } from './helpers/fake-session.ts';

/** Values of JSON that a program cannot work with. */
const BEYOND = {
  infinite: ['1e999', 'holds a number beyond'],
  'minus infinite': ['[-1e999]', 'holds a number beyond'],
  'beyond a double': ['1'.repeat(400), 'holds a number beyond'],
  'nested lists': [`${'['.repeat(64)}${']'.repeat(64)}`, 'is nested deeper'],
  'nested objects': [`${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`, 'is nested deeper'],
} as const;

describe('a hostile reply', () => {
  it.each(Object.entries(BEYOND))('a reply with a value that is %s is rejected with this reason', async (_, [value, why]) => {
    const { session } = await fakeSession(new FakeRoom(() => ({ text: `{"x": ${value}}` })));
    await expect(session.getCapabilities()).rejects.toMatchObject({ code: 'INTERNAL', message: expect.stringContaining(why) });
  });

  it('a reply with lists as deep as those of a call is read', async () => {
    const text = `${'['.repeat(64)}${']'.repeat(64)}`;
    const { session } = await fakeSession(new FakeRoom(() => ({ text })));
    expect(JSON.stringify(await session.call('runtime.weather'))).toBe(text);
  });
});

it.each(['done', 'failed'] as const)('an end of another action (%s) does not end this action', async (status) => {
  const { session } = await fakeSession(new FakeRoom(() => ({ reply: { status, meta: { action_id: 'another' } } })));
  const invoked = session.invoke('set_head', { yaw: 0 }, { actionId: 'mine' });
  await expect(invoked).rejects.toMatchObject({
    code: 'INTERNAL',
    message: expect.stringContaining('of action mine is the end of another (another)'),
  });
});

it('a slow reader skips old events, and misses no end', async () => {
  const feed = new EventFeed<{ phase: string; n: number }>();
  feed.push({ phase: 'accepted', n: 0 });
  const reading = feed.follow();
  expect((await reading.next()).value).toMatchObject({ phase: 'accepted' });
  for (let n = 1; n <= 10_000; n += 1) feed.push({ phase: 'running', n });
  feed.push({ phase: 'done', n: 0 });
  feed.close(null);
  const seen: { phase: string; n: number }[] = [];
  for await (const event of reading) seen.push(event);
  expect(seen.length).toBeLessThan(1_000);
  expect([seen.at(0)?.n, seen.at(-2)?.n, seen.at(-1)?.phase]).toEqual([1, 10_000, 'done']);
});
