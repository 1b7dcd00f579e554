/** The rights that a worker gives itself at the SFU: all of them, so that a right more or less is seen. */
import { decodeJwt } from 'jose';
import { expect, it } from 'vitest';
import { createSfuDesk } from '../../src/worker/sfu.ts';

const desk = createSfuDesk({ url: 'ws://sfu.test', apiKey: 'APItest', apiSecret: 'a secret of at least thirty-two characters' });

it('registers as an agent and may do nothing else', async () => {
  expect(decodeJwt(await desk.agentToken())).toEqual({
    iss: 'APItest',
    nbf: expect.any(Number),
    exp: expect.any(Number),
    video: { agent: true },
  });
});

it("takes a robot's place in one room, as an agent that publishes and hears, and changes no metadata", async () => {
  const claims = decodeJwt(await desk.placeToken('room-1', 'r1', 'rcw'));
  expect(claims).toMatchObject({ sub: 'rcw-r1', kind: 'agent', attributes: { 'lk.agent.name': 'rcw' } });
  expect(claims.video).toEqual({
    roomJoin: true,
    agent: true,
    room: 'room-1',
    canPublish: true,
    canPublishData: true,
    canSubscribe: true,
    canUpdateOwnMetadata: false,
  });
  expect(claims).not.toHaveProperty('sip');
  expect(claims).not.toHaveProperty('inference');
});
