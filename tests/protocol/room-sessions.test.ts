import { describe, expect, it } from 'vitest';
import { createRoomSessions } from '../../src/protocol/room/room-sessions.ts';
import type { PersonInRoom } from '../../src/protocol/room/sfu-session.ts';

const JOINED = 1;
const ACTIVE = 2;
const DISCONNECTED = 3;
const person = (identity: string, sid: string, state = ACTIVE): PersonInRoom => ({ identity, sid, state });

function follow() {
  const left: string[] = [];
  return { left, sessions: createRoomSessions((identity) => left.push(identity)) };
}

describe('the sessions of a room\u2019s participants', () => {
  it('a participant is reported as left when the SFU reports the end of its session', () => {
    const { sessions, left } = follow();
    sessions.heard([person('ann', 'PA_1'), person('ben', 'PA_2')]);
    sessions.heard([person('ann', 'PA_1')]);
    expect(left).toEqual([]);
    sessions.heard([person('ann', 'PA_1', DISCONNECTED)]);
    expect(left).toEqual(['ann']);
  });

  it('a participant is reported as left when another session has its identity, however soon', () => {
    const { sessions, left } = follow();
    sessions.heard([person('ann', 'PA_1')]);
    sessions.heard([person('ann', 'PA_2')]);
    expect(left).toEqual(['ann']);
  });

  it('late news of the previous session does not end the next one', () => {
    const { sessions, left } = follow();
    sessions.heard([person('ann', 'PA_1')]);
    sessions.heard([person('ann', 'PA_2'), person('ann', 'PA_1', DISCONNECTED)]);
    expect(left).toEqual(['ann']);
  });

  it('a participant is reported as left that called, left and came back before the SFU reported its presence', () => {
    const { sessions, left } = follow();
    sessions.heard([person('ann', 'PA_2', JOINED)]);
    expect(left).toEqual(['ann']);
    sessions.heard([person('ann', 'PA_2')]);
    expect(left).toEqual(['ann']);
  });

  it('sessions are compared with the list of the runtime\u2019s next join: a participant that is missing or has another session has left', () => {
    const { sessions, left } = follow();
    sessions.joined([person('ann', 'PA_1'), person('ben', 'PA_2'), person('cem', 'PA_3')]);
    expect(left).toEqual([]);
    sessions.joined([person('ann', 'PA_1'), person('ben', 'PA_4')]);
    expect(left.sort()).toEqual(['ben', 'cem']);
    sessions.joined([person('ann', 'PA_1'), person('ben', 'PA_4')]);
    expect(left).toHaveLength(2);
  });
});
