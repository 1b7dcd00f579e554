/** The rights that a worker grants itself at the SFU. All are compared, so that an added or missing right is found. */
import { decodeJwt } from 'jose';
import { expect, it } from 'vitest';
import { createSfuClient } from '../../src/worker/sfu.ts';

const client = createSfuClient({
  url: 'ws://sfu.test',
  apiKey: 'APItest',
  apiSecret: 'a secret of at least thirty-two characters',
});

it('gives the worker’s own token the right to register as an agent and no other right', async () => {
  expect(decodeJwt(await client.agentToken())).toEqual({
    iss: 'APItest',
    nbf: expect.any(Number),
    exp: expect.any(Number),
    video: { agent: true },
  });
});

it('gives the robot a token for one room, as an agent that publishes and subscribes but cannot change metadata', async () => {
  const claims = decodeJwt(await client.placeToken('room-1', 'r1', 'rcw'));
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
