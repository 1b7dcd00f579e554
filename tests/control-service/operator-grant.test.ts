import { decodeJwt } from 'jose';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { placeToWatch } from '../../src/control-service/operations/watch.ts';
import { signParticipantToken } from '../../src/control-service/tokens.ts';
import type { Access } from '../../src/protocol/service/access.ts';
import { createControlKeyPair } from '../../src/protocol/signed/signed-control.ts';
import { faceClient } from './helpers/faces.ts';
import { SFU_KEY } from './helpers/fake-sfu.ts';
import { startTestService, type TestService } from './helpers/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
}, 120_000);
beforeEach(() => service.reset());
afterAll(() => service.close());

const { send, createRobot } = faceClient('public', () => service);

async function openRobot(): Promise<{ id: string; room: string }> {
  const { id } = await createRobot();
  await send('POST', `/v1/robots/${id}/session`);
  return { id, room: [...service.sfu.rooms.keys()][0] ?? '' };
}

async function askWith(room: string, access: Access, withKey = true) {
  const { publicKey } = await createControlKeyPair();
  const token = await signParticipantToken(SFU_KEY, {
    room,
    identity: 'operator-1',
    name: 'operator',
    issuedAtS: Math.floor(service.clock.nowMs() / 1000),
    ttlS: 600,
    access,
  });
  const asked = { token, ...(withKey ? { public_key: publicKey } : {}) };
  const { watch: answer } = await placeToWatch(service.deps, SFU_KEY, asked);
  return { answer, token, publicKey };
}

it('an operator’s page gets a grant for its key: for this robot and this session, until the link ends', async () => {
  const { id, room } = await openRobot();
  const { answer, token, publicKey } = await askWith(room, 'drive');
  expect(answer?.grant).toMatchObject({ robot_id: id, session: room });
  const { kty, crv, x } = publicKey;
  expect(decodeJwt(answer?.grant?.grant ?? '')).toMatchObject({
    sub: decodeJwt(answer?.token ?? '').sub,
    robot_id: id,
    session: room,
    cnf: { jwk: { kty, crv, x } },
    exp: decodeJwt(token).exp,
  });
});

it('a viewer’s page gets no grant, whatever key it sends, and neither does a page without a key', async () => {
  const { room } = await openRobot();
  expect((await askWith(room, 'watch')).answer).not.toHaveProperty('grant');
  expect((await askWith(room, 'drive', false)).answer).not.toHaveProperty('grant');
});

it.each(['watch', 'drive'] as const)('a page of a link to %s receives the owner’s name for the robot', async (access) => {
  const { room } = await openRobot();
  expect((await askWith(room, access)).answer?.robot_name).toBe('Ada');
});

it('a session that is closed or unknown grants nothing', async () => {
  const { id, room } = await openRobot();
  expect((await askWith('robot-none', 'drive')).answer).not.toHaveProperty('grant');
  await send('DELETE', `/v1/robots/${id}/session`);
  expect((await askWith(room, 'drive')).answer).not.toHaveProperty('grant');
});
