/**
 * Joins that the SFU refuses, each for a reason that the robot learns. The real LiveKit package, with an SFU that
 * the test imitates.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import {
  DisconnectReason,
  JoinResponse,
  LeaveRequest,
  LeaveRequest_Action,
  ParticipantInfo,
  ParticipantInfo_State,
  ParticipantUpdate,
  ReconnectResponse,
  Room,
  SignalResponse,
} from '@livekit/protocol';
import { dispose as disposeLiveKit } from '@livekit/rtc-node';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import type { FreshKey } from '../../src/worker/robot-messages.ts';
import { type WatchedMembership, watchMembership } from './helpers/membership.ts';

afterAll(disposeLiveKit);

const IDENTITY = 'rcw-r1';

/** The SFU's answer to a join: an HTTP answer, or messages over the connection. */
type Answer = { status: number; text: string } | { messages: SignalResponse['message'][] };
const join: SignalResponse['message'] = {
  case: 'join',
  value: new JoinResponse({
    room: new Room({ sid: 'RM_1', name: 'room-1' }),
    participant: new ParticipantInfo({ sid: 'PA_1', identity: IDENTITY }),
    pingInterval: 5,
    pingTimeout: 15,
  }),
};
const leave = (reason: DisconnectReason): SignalResponse['message'] => ({
  case: 'leave',
  value: new LeaveRequest({ reason, action: LeaveRequest_Action.DISCONNECT }),
});

/** An SFU that accepts every token before the join. */
async function startFakeSfu(answerTo: (joins: number) => Answer, holder?: ParticipantInfo) {
  const server = createServer((_request, response) => response.end('success'));
  const sockets = new WebSocketServer({ noServer: true });
  let joins = 0;
  const say = (socket: WebSocket, message: SignalResponse['message']) => socket.send(new SignalResponse({ message }).toBinary());
  server.on('upgrade', (request, socket, head) => {
    const isQuestion = new URL(request.url ?? '', 'http://sfu').searchParams.get('reconnect') === '1';
    if (!isQuestion) joins += 1;
    const answer: Answer = isQuestion ? { messages: [] } : answerTo(joins);
    if ('status' in answer) {
      socket.end(`HTTP/1.1 ${answer.status} No\r\nContent-Length: ${answer.text.length}\r\n\r\n${answer.text}`);
      return;
    }
    sockets.handleUpgrade(request, socket, head, (open) => {
      for (const message of answer.messages) say(open, message);
      if (!isQuestion) return;
      say(open, { case: 'reconnect', value: new ReconnectResponse() });
      say(open, holder ? { case: 'update', value: new ParticipantUpdate({ participants: [holder] }) } : leave(0));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  onTestFinished(() => {
    for (const socket of sockets.clients) socket.terminate();
    server.close();
  });
  return { url: `ws://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`, joins: () => joins };
}

function membershipAt(sfuUrl: string, fresh: FreshKey | null = null): WatchedMembership {
  const membership = watchMembership(sfuUrl, 'token', 'r1', fresh);
  onTestFinished(() => membership.leave());
  return membership;
}

describe('a join that can never succeed ends with its reason, at the first try', () => {
  it.each<[string, Answer, string]>([
    ['a refused token', { status: 401, text: 'invalid token' }, 'refused'],
    ['a token that has just expired', { status: 401, text: 'token is expired (exp)' }, 'key_expired'],
    ['a room that is gone', { status: 404, text: 'requested room does not exist' }, 'session_deleted'],
    ['another of its name', { messages: [leave(DisconnectReason.DUPLICATE_IDENTITY)] }, 'taken_over'],
    ['another of its name, once it was let in', { messages: [join, leave(DisconnectReason.DUPLICATE_IDENTITY)] }, 'taken_over'],
    ['a removal, once it was let in', { messages: [join, leave(DisconnectReason.PARTICIPANT_REMOVED)] }, 'removed'],
    ['a room that is deleted, once it was let in', { messages: [join, leave(DisconnectReason.ROOM_DELETED)] }, 'session_deleted'],
  ])('%s', async (_what, answer, end) => {
    const sfu = await startFakeSfu(() => answer);
    expect(await membershipAt(sfu.url).over).toBe(end);
    expect(sfu.joins()).toBe(1);
  });
});

describe('a join that may succeed later logs why it is retried', () => {
  it.each<[string, Answer, string]>([
    ['a server with trouble of its own', { status: 500, text: 'token eyJhbGciOi.eyJzdWIi.c2ln' }, 'HTTP status 500'],
    ['no SFU behind the proxy', { status: 503, text: '' }, 'The SFU does not answer.'],
    ['two joins at one moment', { messages: [leave(DisconnectReason.JOIN_FAILURE)] }, 'could not let the robot in'],
  ])('%s', async (_what, answer, why) => {
    const sfu = await startFakeSfu(() => answer);
    const { message } = await membershipAt(sfu.url).logged('robot_rejoins');
    expect(message).toContain(why);
    expect(message).not.toContain('eyJ');
  });
});

describe('before it joins again over a connection that broke', () => {
  const held = (sid: string, state: ParticipantInfo_State) => new ParticipantInfo({ sid, identity: IDENTITY, state });
  /** Admits the robot, and then cuts the connection. */
  const cutOff = (joins: number): Answer =>
    joins === 1 ? { messages: [join, leave(DisconnectReason.SERVER_SHUTDOWN)] } : { status: 401, text: 'enough' };

  it('asks, before it joins again, whether another robot has its place, and leaves the place to that robot', async () => {
    const sfu = await startFakeSfu(cutOff, held('PA_2', ParticipantInfo_State.ACTIVE));
    expect(await membershipAt(sfu.url).over).toBe('taken_over');
    expect(sfu.joins()).toBe(1);
  });

  it.each([
    ['its own session', held('PA_1', ParticipantInfo_State.ACTIVE)],
    ['a join of its own whose answer got lost', held('PA_2', ParticipantInfo_State.JOINED)],
    ['nobody', undefined],
  ])('does not mistake %s for another robot', async (_who, holder) => {
    const sfu = await startFakeSfu(cutOff, holder);
    expect(await membershipAt(sfu.url).over).toBe('refused');
    expect(sfu.joins()).toBe(2);
  });
});

describe('on the way back to a restarted platform', () => {
  const letIn: Answer = { messages: [join, leave(DisconnectReason.SERVER_SHUTDOWN)] };
  const removed: Answer = { messages: [leave(DisconnectReason.PARTICIPANT_REMOVED)] };

  it.each([
    ['refused', 'invalid token'],
    ['expired', 'token is expired (exp)'],
  ])('a robot whose worker makes tokens waits for the next one if a token is %s', async (_what, text) => {
    const sfu = await startFakeSfu((joins) => [letIn, { status: 401, text }][joins - 1] ?? removed);
    const membership = membershipAt(sfu.url, { sfuUrl: sfu.url, token: 'fresh' });
    expect(await membership.over).toBe('removed');
    expect(sfu.joins()).toBe(3);
    expect(membership.log.map(({ message }) => message)).toContainEqual(expect.stringContaining('other keys'));
  });

  it('a returning robot goes to the current address of the SFU', async () => {
    const old = await startFakeSfu(() => letIn);
    const now = await startFakeSfu(() => removed);
    expect(await membershipAt(old.url, { sfuUrl: now.url, token: 'fresh' }).over).toBe('removed');
    expect([old.joins(), now.joins()]).toEqual([1, 1]);
  });

  it('a room that does not return is not taken for a deleted session', async () => {
    const sfu = await startFakeSfu((joins) => (joins === 1 ? letIn : { status: 404, text: 'requested room does not exist' }));
    expect(await membershipAt(sfu.url).over).toBe('room_gone');
  }, 30_000);
});
