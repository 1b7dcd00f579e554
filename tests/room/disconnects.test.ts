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
  ] as const)('the disconnect reason %s ends the visit: %s', (name, reason) => {
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
  ] as const)('the tab rejoins after the disconnect reason %s, with an explanation', (name) => {
    expect(afterDisconnect(DisconnectReason[name])).toEqual({ kind: 'rejoin', why: expect.stringMatching(/^[A-Z].*\.$/) });
  });

  it('the step after a disconnect covers every reason of LiveKit, and rejoins after unknown ones', () => {
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
  ])('a failed join leads to the right step: %s', (error, aftermath) => {
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
  ] as const)('the end %s has a title and plain sentences', (reason) => {
    const { title, message } = endOf(reason, facts);
    expect(title).toMatch(/^[A-Z][^.!]+$/);
    expect(message).toMatch(/^[A-Z][^!]+\.$/);
  });

  it('the end of a displaced worker names another tab or a worker without a page as the possible cause', () => {
    const { title, message } = endOf('taken_over', { ...facts, profile: 'worker' });
    expect(`${title} ${message}`).toMatch(/runtime.*Another tab, or a worker without a page/);
  });

  it('the end of an expired key names the time since it expired', () => {
    expect(endOf('key_expired', facts).message).toContain('expired 20 minutes ago');
    expect(endOf('key_expired', { nowMs: 0, expiresAtMs: 1, profile: 'simulator' }).message).toContain("by the server's clock");
  });
});
