import { ConnectionError, DisconnectReason } from 'livekit-client';
import { describe, expect, it } from 'vitest';
import { afterDisconnect, afterFailedJoin } from '../../src/room/disconnects.ts';
import { endOf } from '../../src/room/ends.ts';

const REASONS = Object.values(DisconnectReason).filter((value): value is DisconnectReason => typeof value === 'number');

describe('the step after a disconnect', () => {
  it.each([
    ['DUPLICATE_IDENTITY', 'taken_over'],
    ['PARTICIPANT_REMOVED', 'removed'],
    ['ROOM_DELETED', 'session_deleted'],
    ['USER_REJECTED', 'refused'],
  ] as const)('%s is the end: %s', (name, reason) => {
    expect(afterDisconnect(DisconnectReason[name])).toEqual({ kind: 'end', reason });
  });

  it.each([
    'SERVER_SHUTDOWN',
    'SIGNAL_CLOSE',
    'STATE_MISMATCH',
    'JOIN_FAILURE',
    'MIGRATION',
    'CLIENT_INITIATED',
    'UNKNOWN_REASON',
  ] as const)('after %s the tab rejoins and says why', (name) => {
    expect(afterDisconnect(DisconnectReason[name])).toEqual({ kind: 'rejoin', why: expect.stringMatching(/^[A-Z].*\.$/) });
  });

  it('knows every reason LiveKit has, and rejoins after one it does not know yet', () => {
    expect(REASONS.length).toBeGreaterThan(10);
    for (const reason of REASONS) expect(['end', 'rejoin']).toContain(afterDisconnect(reason).kind);
    expect(afterDisconnect(999 as DisconnectReason).kind).toBe('rejoin');
    expect(afterDisconnect(undefined).kind).toBe('rejoin');
  });
});

describe('the step after a failed join', () => {
  it.each([
    [ConnectionError.notAllowed('invalid token: aaa.bbb.ccc', 401), { kind: 'end', reason: 'refused' }],
    [ConnectionError.notAllowed('requested room does not exist', 404), { kind: 'end', reason: 'session_deleted' }],
    [ConnectionError.leaveRequest('bye', DisconnectReason.DUPLICATE_IDENTITY), { kind: 'end', reason: 'taken_over' }],
    [ConnectionError.serverUnreachable('nothing'), { kind: 'rejoin', why: 'The room does not answer.' }],
    [ConnectionError.timeout('slow'), { kind: 'rejoin', why: 'The room does not answer.' }],
    [new TypeError('fault'), { kind: 'rejoin', why: 'The room could not be joined.' }],
  ])('%s', (error, aftermath) => {
    expect(afterFailedJoin(error)).toEqual(aftermath);
  });
});

describe('the sentences of ends', () => {
  const facts = { nowMs: 2_000_000, expiresAtMs: 800_000, profile: 'simulator' } as const;
  it.each([
    'left',
    'session_deleted',
    'key_expired',
    'taken_over',
    'held_elsewhere',
    'removed',
    'refused',
    'unreachable',
  ] as const)('%s has a title and plain sentences', (reason) => {
    const { title, message } = endOf(reason, facts);
    expect(title).toMatch(/^[A-Z][^.!]+$/);
    expect(message).toMatch(/^[A-Z][^!]+\.$/);
  });

  it('says of a worker that was taken over that another tab or a worker without a page may have done so', () => {
    const { title, message } = endOf('taken_over', { ...facts, profile: 'worker' });
    expect(`${title} ${message}`).toMatch(/runtime.*Another tab, or a worker without a page/);
  });

  it('names the time since which a key is expired', () => {
    expect(endOf('key_expired', facts).message).toContain('expired 20 minutes ago');
    expect(endOf('key_expired', { nowMs: 0, expiresAtMs: 1, profile: 'simulator' }).message).toContain("by the server's clock");
  });
});
