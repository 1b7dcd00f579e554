/** A session that closes while a page is in it, usually because a program ended. */
import { describe, expect, it } from 'vitest';
import { endOf } from '../../src/room/ends.ts';
import { createFixture, KEY, keyFor, NOW_MS, settle } from './engine-fixture.ts';

const CLOSED = {
  kind: 'ended',
  ...endOf('session_deleted', { nowMs: NOW_MS, expiresAtMs: NOW_MS + 1, profile: 'simulator' }),
} as const;
/** A key of the same robot, for the room of the next session. */
const nextKey = (room: string): string => keyFor('r1', { video: { room, roomJoin: true, canPublishData: true } } as object);

describe('if the platform opens the session again', () => {
  it('a robot whose session is opened again joins the new room with its world, and its new key is kept', async () => {
    const fixture = createFixture(KEY);
    const asked: string[] = [];
    fixture.deps.askToComeBack = async (token) => {
      asked.push(token);
      return nextKey('room-r1-next');
    };
    await fixture.goLive();
    fixture.setConnection(CLOSED);
    expect(fixture.state().connection).toEqual({
      kind: 'rejoining',
      attempt: 1,
      reason: 'The session was closed. The platform opens it again.',
    });
    // The caller that commanded the robot is not in the new room.
    expect(fixture.log).toContain("cancel by the robot's tab, which left the room");
    await settle();
    expect(asked).toHaveLength(1);
    expect(KEY).toContain(asked[0]);
    expect(fixture.joins.map(({ key }) => key.room)).toEqual(['room-r1', 'room-r1-next']);
    expect(fixture.kept.at(-1)).toBe(nextKey('room-r1-next'));
    expect(fixture.simulations()).toBe(1);
    fixture.setConnection({ kind: 'connected' });
    expect(fixture.state().phase).toBe('live');
  });

  it('a key that was forgotten in the meantime stays forgotten', async () => {
    const fixture = createFixture(KEY);
    let answer = (_key: string | null): void => {};
    fixture.deps.askToComeBack = () => new Promise((resolve) => (answer = resolve));
    await fixture.goLive();
    fixture.setConnection(CLOSED);
    fixture.engine.disconnect();
    answer(nextKey('room-r1-next'));
    await settle();
    expect(fixture.joins).toHaveLength(1);
    expect(fixture.kept.at(-1)).toBeNull();
  });

  it('a session that is closed again and again stays closed', async () => {
    const fixture = createFixture(KEY);
    let sessions = 0;
    fixture.deps.askToComeBack = async () => nextKey(`room-${++sessions}`);
    await fixture.goLive();
    for (let closed = 0; closed < 6; closed += 1) {
      fixture.setConnection(CLOSED);
      await settle();
    }
    expect(sessions).toBe(5);
    expect(fixture.state().connection).toEqual(CLOSED);
    expect(fixture.kept.at(-1)).toBeNull();
  });
});

describe('if no one opens the session again', () => {
  it.each([
    ['the platform has no key for it', async () => null],
    ['the platform gives an invalid key', async () => 'hello'],
  ])('the page reports a closed session: %s', async (_, askToComeBack) => {
    const fixture = createFixture(KEY);
    fixture.deps.askToComeBack = askToComeBack;
    await fixture.goLive();
    fixture.setConnection(CLOSED);
    await settle();
    expect(fixture.state()).toMatchObject({ phase: 'ended', connection: CLOSED });
    expect(fixture.kept.at(-1)).toBeNull();
  });

  it('the page of another machine reports a closed session at once', async () => {
    const fixture = createFixture(KEY);
    await fixture.goLive();
    fixture.setConnection(CLOSED);
    expect(fixture.state().connection).toEqual(CLOSED);
  });
});
