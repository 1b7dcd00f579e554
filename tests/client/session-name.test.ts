/** The name under which a program is in the room. */
import { expect, it } from 'vitest';
import { Client, connect } from '../../src/client/index.ts';
import { fakeFetch, SESSION } from './helpers/fake-fetch.ts';
import { FakeRoom } from './helpers/fake-room.ts';

it.each([
  ['sorter', /^client-sorter-[0-9a-f]{32}$/],
  ['Sorting agent (2)', /^client-sorting-agent-2-[0-9a-f]{32}$/],
  ['分拣机', /^client-[0-9a-f]{32}$/],
  ['x'.repeat(256), /^client-x{40}-[0-9a-f]{32}$/],
])('a program joins as %s with a token of its own and an identity that shows the name', async (name, identity) => {
  const { room_name, livekit_url } = SESSION;
  const named = {
    ...{ room_name, livekit_url, participant_token: 'h.named.s', participant_identity: 'client-1' },
    expires_at: '2026-01-02T07:04:05.678Z',
  };
  const { fetch, seen } = fakeFetch({ body: SESSION }, { body: named }, { status: 204 });
  const room = new FakeRoom(() => 'silence');
  const session = await connect(new Client({ apiKey: 'k', fetch }), 'r1', { transport: async () => room, name });
  expect(seen[1]?.body).toEqual({
    participant_identity: expect.stringMatching(identity),
    participant_name: name,
  });
  expect(room.token).toBe('h.named.s');
  await session.disconnect();
});

it('a program deletes the session that it opened when no token exists under that name', async () => {
  const refused = { status: 400, body: { code: 'request.invalid', message: 'participant_name is too long.', details: {} } };
  const { fetch, seen } = fakeFetch({ body: { ...SESSION, is_new: true } }, refused, { status: 204 });
  const options = { transport: async () => new FakeRoom(() => 'silence'), name: 'x'.repeat(257) };
  await expect(connect(new Client({ apiKey: 'k', fetch }), 'r1', options)).rejects.toThrow('participant_name is too long.');
  expect(seen.map(({ method }) => method)).toEqual(['POST', 'POST', 'DELETE']);
});
