/** A robot that stays in a room longer than its link lives returns with the token that the SFU gave it meanwhile. */
import { AccessToken } from 'livekit-server-sdk';
import { expect, it } from 'vitest';
import { simulatorIdentity } from '../../src/protocol/wire/identity.ts';
import { lengthened } from '../../src/worker/robot/renewed-token.ts';

const tokenFor = async (ttlS: number, { robot = 'r1', room = 'room-1' } = {}): Promise<string> => {
  const token = new AccessToken('key', 'a secret of at least thirty-two characters', {
    identity: simulatorIdentity(robot),
    ttl: ttlS,
  });
  token.addGrant({ roomJoin: true, room });
  return token.toJwt();
};
const placeWith = async (ttlS: number) => ({ sfuUrl: 'ws://sfu', token: await tokenFor(ttlS), room: 'room-1', robotId: 'r1' });

it('accepts a token that lasts longer than the present one, even after that has expired, and rejects a shorter one', async () => {
  const place = await placeWith(300);
  const longer = await tokenFor(600);
  expect(lengthened(place, longer, Date.now())).toEqual({ ...place, token: longer });
  expect(lengthened(place, await tokenFor(200), Date.now())).toBeNull();
  const later = await tokenFor(3_600);
  expect(lengthened(place, later, Date.now() + 400_000)).toEqual({ ...place, token: later });
});

it('rejects a token for another place or another robot, and an unreadable token', async () => {
  const place = await placeWith(300);
  for (const token of [await tokenFor(600, { room: 'room-2' }), await tokenFor(600, { robot: 'r2' }), 'nonsense', ''])
    expect(lengthened(place, token, Date.now())).toBeNull();
});
