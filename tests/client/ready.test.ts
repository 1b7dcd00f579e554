import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Client, connect } from '../../src/client/index.ts';
import { fakeFetch, SESSION } from './helpers/fake-fetch.ts';
import { FakeRoom, guardReply } from './helpers/fake-room.ts';
import { fakeSession } from './helpers/fake-session.ts';
import { settled } from './helpers/settled.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('discoverSkills', () => {
  const skill = { name: 'walk', description: 'Walks.', input_schema: {} };

  it('discoverSkills waits for a runtime to join and to have loaded', async () => {
    const room = new FakeRoom((_, index) => ({ reply: index < 3 ? guardReply('NOT_READY') : [skill] }));
    room.present = [];
    const { session } = await fakeSession(room);
    const listed = session.discoverSkills();
    await vi.advanceTimersByTimeAsync(30_000);
    room.join('simplesim:r1');
    expect(await settled(listed)).toEqual([skill]);
  });

  it.each([
    [undefined, 7_000, 'not ready after 7 s: no participant named simplesim is in the room (the room is empty)'],
    [2_000, 2_000, 'not ready after 2 s: no participant named simplesim is in the room (the room is empty)'],
  ])(
    'discoverSkills with timeoutMs %s gives up after %i ms, and names what it waited for',
    async (timeoutMs, givesUpMs, sentence) => {
      const room = new FakeRoom(() => 'silence');
      room.present = [];
      const { session } = await fakeSession(room, { runtimeCallTimeoutMs: 7_000 });
      const listed = session.discoverSkills({ timeoutMs });
      const outcome = listed.catch((error: unknown) => error);
      await vi.advanceTimersByTimeAsync(givesUpMs - 10);
      expect(await Promise.race([outcome, 'waits'])).toBe('waits');
      await vi.advanceTimersByTimeAsync(20);
      await expect(listed).rejects.toMatchObject({ name: 'TimeoutError', message: expect.stringContaining(sentence) });
    },
  );

  it('discoverSkills reports an answer that is not a list of skills', async () => {
    const { session } = await fakeSession(new FakeRoom(() => ({ reply: [skill, { name: 'fly' }] })));
    await expect(session.discoverSkills()).rejects.toMatchObject({ code: 'INTERNAL' });
  });
});

describe('waitUntilReady', () => {
  it('waitUntilReady reports once what a long wait is for', async () => {
    const warn = vi.fn();
    const room = new FakeRoom(() => ({ reply: [] }));
    room.present = ['rcw-r1'];
    const client = new Client({ apiKey: 'k', fetch: fakeFetch({ body: SESSION }).fetch, logger: { debug: () => {}, warn } });
    const session = await connect(client, 'r1', { transport: async () => room });
    const waiting = session.waitUntilReady();
    await vi.advanceTimersByTimeAsync(60_000);
    room.join('simplesim:r1');
    await settled(waiting);
    expect(warn.mock.calls.map(([line]) => line)).toEqual([
      expect.stringMatching(
        /waiting for the robot: no participant named simplesim .* \(there are rcw-r1\)\. .* rcwIdentityPrefix 'rcw'/,
      ),
    ]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('waitUntilReady waits for the runtime to join and to have loaded', async () => {
    const room = new FakeRoom((_, index) => ({ reply: index < 3 ? guardReply('NOT_READY') : [] }));
    room.present = [];
    const { session } = await fakeSession(room);
    let ready = false;
    const waiting = session.waitUntilReady().then(() => {
      ready = true;
    });
    await vi.advanceTimersByTimeAsync(60_000);
    expect([ready, room.calls.length]).toEqual([false, 0]);
    room.join('simplesim:r1');
    await settled(waiting);
    expect(room.of('runtime.tools_list')).toHaveLength(4);
  });

  it('waitUntilReady uses the candidate that answers', async () => {
    const room = new FakeRoom((call) => (call.to === 'simplesim:r1' ? { reply: [] } : { failure: 'lost' }));
    room.present = ['simplesim-ghost', 'simplesim:r1'];
    const { session } = await fakeSession(room);
    await settled(session.waitUntilReady());
    expect(session.runtimeIdentity).toBe('simplesim:r1');
  });

  it('waitUntilReady gives up in time, and leaves no timer behind', async () => {
    const room = new FakeRoom(() => ({ reply: guardReply('NOT_READY') }));
    const { session } = await fakeSession(room);
    const waiting = session.waitUntilReady({ timeoutMs: 3_000 });
    waiting.catch(() => {});
    await vi.advanceTimersByTimeAsync(3_500);
    await expect(waiting).rejects.toMatchObject({ name: 'TimeoutError' });
    expect(vi.getTimerCount()).toBe(0);
  });

  it.each<[string, FakeRoom, string]>([
    [
      'no runtime is there',
      Object.assign(new FakeRoom(() => 'silence'), { present: ['client:x'] }),
      "no participant named simplesim is in the room (there are client:x). Open the robot's link in Chrome (the platform's command “link” prints one), or start its worker.",
    ],
    ['the runtime does not answer', new FakeRoom(() => 'silence'), 'simplesim:r1 is in the room and does not answer.'],
    [
      'the tab loads',
      new FakeRoom(() => ({ reply: guardReply('NOT_READY', 'The robot is still loading: physics, 40% done.') })),
      'simplesim:r1 is in the room and reports: The robot is still loading: physics, 40% done.',
    ],
    [
      'the answer is not that of a runtime',
      new FakeRoom(() => ({ reply: {} })),
      'simplesim:r1 is in the room and answers with something else than its skills.',
    ],
  ])('waitUntilReady explains when it gives up that %s', async (_, room, sentence) => {
    const { session } = await fakeSession(room);
    const waiting = session.waitUntilReady({ timeoutMs: 12_000 });
    waiting.catch(() => {});
    await vi.advanceTimersByTimeAsync(12_500);
    await expect(waiting).rejects.toThrow(`The robot is not ready after 12 s: ${sentence}`);
  });
});
