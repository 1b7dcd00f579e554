import { expect, it } from 'vitest';
import { actionIdOf, doneReply, FakeRoom } from './helpers/fake-room.ts';
import { fakeSession } from './helpers/fake-session.ts';
import { heapBytesInUse } from './helpers/heap.ts';

const CALLS = 50;
const REPLY_CHARACTERS = 400_000;

it('a session keeps no reply once its call has ended, however long the session lasts', async () => {
  const room = new FakeRoom((call, index) => {
    // Each reply is a separate text, as those of the network are.
    const text = `${index}`.padStart(REPLY_CHARACTERS, '.');
    return { reply: call.method === 'runtime.tools_call' ? doneReply(actionIdOf(call), { text }) : { text } };
  });
  const { session } = await fakeSession(room);
  const lifelong = new AbortController();
  const callEach = async () => {
    await session.getCapabilities();
    await session.getCapabilities({ signal: lifelong.signal });
    await session.invoke('stop', {});
    room.calls.length = 0;
  };
  await callEach();
  const before = heapBytesInUse();
  for (let n = 0; n < CALLS; n += 1) await callEach();
  expect(heapBytesInUse() - before).toBeLessThan((CALLS * REPLY_CHARACTERS) / 2);
});
