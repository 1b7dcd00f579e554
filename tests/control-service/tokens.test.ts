/** The rights of a participant in a room. All are compared, so that an added or missing right is found. */
import { decodeJwt } from 'jose';
import { describe, expect, it } from 'vitest';
import { signParticipantToken, signRoomAdminToken } from '../../src/control-service/tokens.ts';

const KEY = { apiKey: 'APItest', apiSecret: 'a secret of at least thirty-two characters' };
const ROBOT = '01b8dac5-b400-7ee8-9a2e-fb982ce6501b';
const START_S = 1_760_000_000;
const grant = { room: 'robot-1', name: 'Ada', issuedAtS: START_S, ttlS: 600 };

const participant = { roomJoin: true, room: 'robot-1', canPublish: false, canSubscribe: true, canPublishData: true };
const tab = { ...participant, canPublish: true, canSubscribe: false };
const physical = { ...participant, canPublish: true };

describe('a token grants this and nothing else', () => {
  it.each([
    ['a client', `client:${ROBOT}`, participant],
    ['an agent that joins as a participant', 'agent-voice', participant],
    ['one whose name begins like a runtime', 'rcwx', participant],
    ["the tab of a robot's runtime", `simplesim:${ROBOT}`, tab],
    ["the tab of a robot's runtime, as a worker is named", `simplesim-${ROBOT}`, tab],
    ["a robot's worker", `rcw-${ROBOT}`, physical],
    ['a worker without a robot id', 'rcw-left', physical],
  ])('%s', async (_who, identity, rights) => {
    expect(decodeJwt(await signParticipantToken(KEY, { ...grant, identity }))).toEqual({
      iss: 'APItest',
      sub: identity,
      name: 'Ada',
      iat: START_S,
      nbf: START_S,
      exp: START_S + 600,
      video: { ...rights, canUpdateOwnMetadata: false },
    });
  });

  it("the service's own calls about one room", async () => {
    const { iss, sub, iat = 0, nbf, exp, ...claims } = decodeJwt(await signRoomAdminToken(KEY, 'robot-1'));
    expect([iss, sub, nbf, exp]).toEqual(['APItest', 'control-service', iat, iat + 60]);
    expect(claims).toEqual({ video: { roomAdmin: true, room: 'robot-1' } });
  });
});
