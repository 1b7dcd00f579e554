import { describe, expect, it } from 'vitest';
import { followLink, opensPlaceOf } from '../../src/headless/follow-link.ts';
import { readRobotKey } from '../../src/headless/robot-key.ts';
import { encodeRoomKey } from '../../src/protocol/room/room-key.ts';

const NOW_MS = Date.UTC(2026, 0, 1);

/** A link in the form of the platform's; only the SFU checks the signature. */
function link({ room = 'room-1', robotId = 'r1', port = 7880, n = 1 }): string {
  const grants = { video: { room, roomJoin: true, canPublish: true, canPublishData: true }, sub: `simplesim:${robotId}` };
  const claims = { ...grants, nbf: 0, exp: NOW_MS / 1000 + 3600, jti: String(n) };
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const token = `${part({ alg: 'HS256' })}.${part(claims)}.c2ln`;
  return `http://127.0.0.1:8080/?key=${encodeRoomKey({ sfuUrl: `ws://127.0.0.1:${port}`, token })}`;
}

const first = link({});
const key = readRobotKey(first, NOW_MS);

function follow(mark: string | null = null) {
  let newest: string | null = first;
  const ask = followLink(
    key,
    () => newest,
    async () => (mark === null ? null : { token: mark }),
    () => NOW_MS,
  );
  return {
    ask,
    write: (next: string | null) => {
      newest = next;
    },
  };
}

describe('a robot that follows the newest link to its place', () => {
  it('the robot takes the token and the address of the next link, once', async () => {
    const { ask, write } = follow();
    expect(await ask()).toBeNull();
    const next = link({ port: 7990, n: 2 });
    write(next);
    expect(await ask()).toEqual({ sfuUrl: 'ws://127.0.0.1:7990', token: readRobotKey(next, NOW_MS).place.token });
    expect(await ask()).toBeNull();
  });

  it('the robot takes the token with the attributes that the platform adds', async () => {
    const { ask, write } = follow('marked');
    write(link({ n: 2 }));
    expect(await ask()).toMatchObject({ token: 'marked' });
  });

  it.each([
    ['of another session', link({ room: 'room-2' })],
    ['of another robot', link({ robotId: 'r2' })],
    ['that is damaged', first.slice(0, -20)],
    ['that is missing', null],
  ])('the robot does not take a link %s', async (_which, next) => {
    const { ask, write } = follow();
    write(next);
    expect(await ask()).toBeNull();
  });

  it('the robot recognises a link to its place by room and robot', () => {
    expect(opensPlaceOf(key, link({ n: 3 }), NOW_MS)).toBe(true);
    expect(opensPlaceOf(key, link({ room: 'room-2' }), NOW_MS)).toBe(false);
    expect(opensPlaceOf(key, null, NOW_MS)).toBe(false);
  });
});
