import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { PlatformAPIError, RcwRuntimeError } from '../../src/client/index.ts';
import { CallLostError } from '../../src/client/internal/room-link.ts';
import { deferred } from '../../src/client/internal/wait.ts';
import { doneReply, type FakeCall, guardReply } from './helpers/fake-room.ts';
import { createWorld } from './helpers/signed-world.ts';

const NOW_MS = Date.UTC(2030, 0, 1);

// Only the clocks are fake: timers and signatures take their real time.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'], now: NOW_MS });
});
afterEach(() => {
  vi.useRealTimers();
});

describe('commands to a worker', () => {
  it('commands to a worker are signed: invoke, start and cancel, each in an envelope of its own', async () => {
    const { session, room, carriedOut, orders } = await createWorld({ options: { controlHolder: 'tour' } });
    const driven = await session.invoke('set_velocity' as string, { vyaw: 0.2 }, { actionId: 'a' });
    expect(driven).toMatchObject({ status: 'done', result: { is: 'set_velocity' } });
    await session.start('stop', {}, { actionId: 'b' }).result;
    await session.cancelAction('b');
    await session.cancelAction();
    await session.call('runtime.tools_call', { name: 'stop', input: {}, options: { action_id: 'c' } });
    expect(carriedOut.map(({ method, actionId, holder }) => [method, actionId, holder])).toEqual([
      ['runtime.tools_call', 'a', 'tour'],
      ['runtime.tools_call', 'b', 'tour'],
      ['runtime.cancel', 'b', 'tour'],
      ['runtime.cancel', 'cancel-active', 'tour'],
      ['runtime.tools_call', 'c', 'tour'],
    ]);
    expect(room.of('runtime.tools_call')).toEqual([]);
    // One key pair and one grant serve all commands; only the public half of the key has left the program.
    expect(orders).toHaveLength(1);
    expect(Object.keys(orders[0]?.body.public_key ?? {}).sort()).toEqual(['crv', 'kty', 'x']);
  });

  it('a session that only reads requests no grant', async () => {
    const { session, orders, room } = await createWorld({ plain: ({ method }) => (method === 'runtime.tools_list' ? [] : {}) });
    await session.discoverSkills();
    await session.state.get('manifest');
    expect(orders).toEqual([]);
    expect(room.of('runtime.forward_envelope')).toEqual([]);
  });

  it('commands have fresh, growing numbers, also when an action id is repeated because its reply was lost', async () => {
    const { session, lose, envelopes, carriedOut } = await createWorld();
    await session.invoke('stop', {});
    lose.add(2);
    expect(await session.invoke('stop', {}, { actionId: 'again' })).toMatchObject({ status: 'done' });
    expect(envelopes.map(({ seq }) => seq)).toEqual([1, 2, 3]);
    expect(carriedOut.map(({ actionId }) => actionId).slice(1)).toEqual(['again']);
  });

  it('commands arrive in the order in which they were made, also those made while the grant is fetched', async () => {
    const { session, carriedOut, envelopes } = await createWorld();
    await Promise.all(Array.from({ length: 20 }, (_, i) => session.invoke('stop', {}, { actionId: `${i}` })));
    expect(carriedOut.map(({ actionId }) => actionId)).toEqual(Array.from({ length: 20 }, (_, i) => `${i}`));
    expect(envelopes.map(({ seq }) => seq)).toEqual(Array.from({ length: 20 }, (_, i) => i + 1));
  });

  it('a session gets another grant before the current one ends, without waiting for it', async () => {
    const { session, carriedOut, orders, envelopes, passMs } = await createWorld({ lifeS: 100 });
    await session.invoke('stop', {});
    passMs(79_000);
    await session.invoke('stop', {});
    expect(orders).toHaveLength(1);
    passMs(2_000);
    // This command uses the old grant, and the next grant is fetched meanwhile.
    await session.invoke('stop', {});
    await vi.waitFor(() => expect(orders).toHaveLength(2));
    await session.invoke('stop', {});
    await vi.waitFor(async () => {
      await session.invoke('stop', {});
      expect(carriedOut.at(-1)?.grantId).toBe('grant-2');
    });
    expect(carriedOut.slice(0, 3).map(({ grantId }) => grantId)).toEqual(['grant-1', 'grant-1', 'grant-1']);
    // The key is the same, so the numbers continue.
    expect(envelopes.map(({ seq }) => seq)).toEqual(envelopes.map((_, i) => i + 1));
  });

  it('a session continues with its grant when another cannot be obtained, with a warning', async () => {
    let isDown = false;
    const { session, carriedOut, warnings, passMs } = await createWorld({
      lifeS: 100,
      refuseGrant: () => (isDown ? { status: 503, body: { code: 'sfu.unavailable', message: 'x', details: {} } } : null),
    });
    await session.invoke('stop', {});
    isDown = true;
    passMs(85_000);
    await session.invoke('stop', {});
    await vi.waitFor(() => expect(warnings).toEqual([expect.stringContaining('sfu.unavailable')]));
    isDown = false;
    // Past its end another grant is fetched first.
    passMs(30_000);
    await session.invoke('stop', {});
    expect(carriedOut.map(({ grantId }) => grantId)).toEqual(['grant-1', 'grant-1', expect.not.stringMatching(/^grant-1$/)]);
  });

  it('a session uses the clock of the runtime when the runtime reports that the session’s clock is wrong', async () => {
    const { session, clock, carriedOut, envelopes } = await createWorld();
    clock.aheadMs = 60_000;
    expect(await session.invoke('stop', {}, { actionId: 'a' })).toMatchObject({ status: 'done' });
    await session.invoke('stop', {}, { actionId: 'b' });
    expect(carriedOut.map(({ actionId }) => actionId)).toEqual(['a', 'b']);
    expect(envelopes).toHaveLength(3);
  });

  it('a command is not repeated behind a later one: a velocity that was rejected must not follow a stop', async () => {
    const { session, clock, carriedOut } = await createWorld();
    await session.invoke('stop', {}, { actionId: 'first' });
    clock.aheadMs = 60_000;
    const velocity = session.invoke('set_velocity' as string, { vx: 1 }, { actionId: 'velocity' });
    const stop = session.invoke('stop', {}, { actionId: 'stop' });
    await expect(velocity).rejects.toMatchObject({ code: 'ENVELOPE_STALE' });
    await stop;
    expect(carriedOut.map(({ actionId }) => actionId)).toEqual(['first', 'stop']);
  });

  it('a command is not repeated behind a stop that waits for a grant, because the stop has no number yet', async () => {
    const { session, hold, passMs, carriedOut, orders } = await createWorld({ lifeS: 60 });
    await session.invoke('stop', {}, { actionId: 'first' });
    const [arrival, granting] = [deferred<void>(), deferred<void>()];
    hold.envelope = arrival.promise;
    const patient = { actionId: 'velocity', timeoutMs: 600_000 };
    const velocity = session.invoke('set_velocity' as string, { vx: 1 }, patient);
    await vi.waitFor(() => expect(hold.held).toBe(1));
    hold.envelope = undefined;
    hold.grant = granting.promise;
    passMs(61_000);
    const stop = session.invoke('stop', {}, { actionId: 'stop' });
    await vi.waitFor(() => expect(orders).toHaveLength(2));
    arrival.resolve();
    // A new envelope would wait in the queue behind the stop, and its promise with it.
    const refused = expect(velocity).rejects.toMatchObject({ code: 'GRANT_EXPIRED' });
    await vi.waitFor(() => expect(hold.answered).toBe(1));
    granting.resolve();
    await refused;
    await stop;
    expect(carriedOut.map(({ actionId }) => actionId)).toEqual(['first', 'stop']);
  });

  it('a lost command is not repeated once a later one was made, because a velocity would undo the stop', async () => {
    const { session, lose, carriedOut } = await createWorld();
    await session.invoke('stop', {}, { actionId: 'first' });
    lose.add(2).add(3);
    const velocity = session.invoke('set_velocity' as string, { vx: 1 }, { actionId: 'velocity' });
    const stop = session.invoke('stop', {}, { actionId: 'stop' });
    const read = session.invoke('get_state' as string, {}, { actionId: 'read' });
    await expect(velocity).rejects.toMatchObject({
      code: 'CANCELLED',
      details: { reason: 'overtaken', world_changed: 'unknown' },
    });
    // The latest command is repeated; a read does not count as a command.
    expect(await stop).toMatchObject({ status: 'done' });
    expect(await read).toMatchObject({ status: 'done' });
    expect(carriedOut.map(({ actionId }) => actionId).sort()).toEqual(['first', 'stop']);
  });

  it('reads are sent unsigned', async () => {
    const { session, room, orders } = await createWorld();
    expect(await session.invoke('get_state' as string, {}, { actionId: 'read' })).toMatchObject({ status: 'done' });
    expect(room.of('runtime.tools_call')).toHaveLength(1);
    expect(orders).toEqual([]);
  });

  it('lost commands are not repeated after a cancel', async () => {
    const { session, lose, carriedOut } = await createWorld();
    lose.add(1);
    const velocity = session.invoke('set_velocity' as string, { vx: 1 }, { actionId: 'velocity' });
    const cancel = session.cancelAction();
    await expect(velocity).rejects.toMatchObject({ code: 'CANCELLED' });
    await cancel;
    expect(carriedOut.map(({ method }) => method)).toEqual(['runtime.cancel']);
  });

  it('commands that are too large once sealed are rejected before they are sent', async () => {
    const { session, room } = await createWorld();
    const call = session.invoke('stop' as string, { text: 'x'.repeat(9_000) });
    await expect(call).rejects.toMatchObject({ name: 'RcwRuntimeError', code: 'PAYLOAD_TOO_LARGE' });
    await expect(session.invoke('stop' as string, { vx: Number.NaN })).rejects.toThrow(RcwRuntimeError);
    expect(room.calls).toEqual([]);
  });

  it('commands report why no grant is issued, and are signed the next time', async () => {
    let refusal: { status: number; body: unknown } | null = {
      status: 409,
      body: { code: 'session.not_found', message: 'None.', details: {} },
    };
    const { session, carriedOut } = await createWorld({ refuseGrant: () => refusal });
    await expect(session.invoke('stop', {})).rejects.toThrow(PlatformAPIError);
    refusal = null;
    await session.invoke('stop', {});
    expect(carriedOut).toHaveLength(1);
  });

  it('commands that were given up before they were signed are not sent', async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { session, carriedOut } = await createWorld({ grantAfter: held });
    const giveUp = new AbortController();
    const first = session.invoke('stop', {}, { actionId: 'first', signal: giveUp.signal });
    giveUp.abort(new Error('given up'));
    await expect(first).rejects.toThrow('given up');
    const second = session.invoke('stop', {}, { actionId: 'second' });
    release();
    await second;
    expect(carriedOut.map(({ actionId }) => actionId)).toEqual(['second']);
  });
});

describe('P7: a stop to a worker', () => {
  const STOPS = [
    ['stop', (session: Session) => session.invoke('stop', {}, { actionId: 'stop' })],
    ['a zero velocity', (session: Session) => session.invoke('set_velocity' as string, { vx: 0 }, { actionId: 'stop' })],
  ] as const;
  type Session = Awaited<ReturnType<typeof createWorld>>['session'];
  const pose = (session: Session) => session.invoke('set_upper_body' as string, { r_arm: [], l_arm: [] });

  it.each(STOPS)(
    'a stop to a worker that is lost is repeated with its action id, whatever was commanded since: %s',
    async (_, stop) => {
      const { session, lose, carriedOut, envelopes } = await createWorld();
      lose.add(1).add(3);
      const stopping = stop(session);
      await vi.waitFor(() => expect(envelopes).toHaveLength(1));
      await pose(session);
      expect(await stopping).toMatchObject({ status: 'done' });
      expect(carriedOut.filter(({ actionId }) => actionId === 'stop')).toHaveLength(1);
    },
  );

  it.each(STOPS)('a stop that a strict robot rejects behind a later pose is sealed again: %s', async (_, stop) => {
    const { session, overtake, carriedOut } = await createWorld();
    await pose(session);
    overtake.count = 5;
    const [stopped] = await Promise.all([stop(session), pose(session), pose(session)]);
    expect(stopped).toMatchObject({ status: 'done' });
    expect(carriedOut.map(({ actionId }) => actionId)).toContain('stop');
  });

  it('a velocity that the stop of another caller has overtaken is not sealed again', async () => {
    const { session, overtake, envelopes, carriedOut } = await createWorld();
    Object.assign(overtake, { count: 1, details: { reason: 'overtaken' } });
    const velocity = session.invoke('set_velocity' as string, { vx: 1 }, { actionId: 'velocity' });
    await expect(velocity).rejects.toMatchObject({ code: 'ENVELOPE_OUT_OF_ORDER' });
    expect([envelopes.length, carriedOut]).toEqual([1, []]);
  });

  it('a velocity that got lost does not follow a stop that found no runtime', async () => {
    const { session, room, hold, lose, carriedOut } = await createWorld();
    await session.invoke('stop', {}, { actionId: 'first' });
    const arrival = deferred<void>();
    hold.envelope = arrival.promise;
    const velocity = session.invoke('set_velocity' as string, { vx: 1 }, { actionId: 'velocity' });
    lose.add(2);
    const refused = expect(velocity).rejects.toMatchObject({ code: 'CANCELLED' });
    room.leave('rcw-r1');
    await expect(session.invoke('stop', {}, { actionId: 'stop' })).rejects.toMatchObject({ code: 'NOT_READY' });
    hold.envelope = undefined;
    arrival.resolve();
    room.join('rcw-r1');
    await refused;
    expect(carriedOut.map(({ actionId }) => actionId)).toEqual(['first']);
  });

  it('a stop that found no room is repeated', async () => {
    const { session, crowd, carriedOut } = await createWorld();
    crowd.count = 2;
    expect(await session.invoke('stop', {}, { actionId: 'stop' })).toMatchObject({ status: 'done' });
    expect([crowd.count, carriedOut.map(({ actionId }) => actionId)]).toEqual([0, ['stop']]);
    crowd.count = 1;
    await expect(session.invoke('set_velocity' as string, { vx: 1 })).rejects.toMatchObject({ code: 'NOT_READY' });
  });

  it('a stop that was rejected unsigned is signed although poses were made since', async () => {
    const { session, carriedOut } = await createWorld({ identity: 'simplesim:r1' });
    const stopping = session.invoke('stop', {}, { actionId: 'stop' });
    const posed = [pose(session), pose(session)];
    expect(await stopping).toMatchObject({ status: 'done' });
    await Promise.all(posed);
    expect(carriedOut.map(({ actionId }) => actionId)).toContain('stop');
  });

  it('a stop does not wait for calls whose answers are late', async () => {
    const { session, hold, carriedOut } = await createWorld();
    await session.invoke('stop', {}, { actionId: 'first' });
    const arrival = deferred<void>();
    hold.envelope = arrival.promise;
    const waiting = [pose(session), pose(session), session.invoke('set_velocity' as string, { vx: 1 }).catch(() => undefined)];
    await vi.waitFor(() => expect(hold.held).toBe(3));
    hold.envelope = undefined;
    await session.invoke('stop', {}, { actionId: 'stop' });
    expect(carriedOut.map(({ actionId }) => actionId)).toEqual(['first', 'stop']);
    arrival.resolve();
    await Promise.allSettled(waiting);
  });

  it('a cancel of whatever is active is repeated, unless something was commanded since', async () => {
    const { session, lose, carriedOut } = await createWorld();
    lose.add(1);
    await session.cancelAction();
    expect(carriedOut.map(({ method }) => method)).toEqual(['runtime.cancel']);
    lose.add(3);
    const cancel = session.cancelAction();
    const driving = session.invoke('set_velocity' as string, { vx: 1 });
    await expect(cancel).rejects.toBeInstanceOf(CallLostError);
    await driving;
  });

  it('a stop does not prevent the repetition of a lost velocity behind a pose', async () => {
    const { session, lose, carriedOut } = await createWorld();
    lose.add(1);
    const driving = session.invoke('set_velocity' as string, { vx: 1 }, { actionId: 'velocity' });
    await pose(session);
    expect(await driving).toMatchObject({ status: 'done' });
    expect(carriedOut.map(({ actionId }) => actionId)).toContain('velocity');
  });
});

describe('signControl', () => {
  it('auto leaves a simulator alone: no grant, no envelope, no further request', async () => {
    const { session, room, orders } = await createWorld({ identity: 'simplesim:r1', plain: () => doneReply('a') });
    await session.invoke('set_velocity', {}, { actionId: 'a' });
    expect(orders).toEqual([]);
    expect(room.calls.map(({ method }) => method)).toEqual(['runtime.tools_call']);
  });

  it('auto signs for a tab that stands in for a worker after its first rejection', async () => {
    const { session, room, carriedOut } = await createWorld({ identity: 'simplesim:r1' });
    await session.invoke('stop', {}, { actionId: 'a' });
    await session.invoke('stop', {}, { actionId: 'b' });
    expect(carriedOut.map(({ actionId }) => actionId)).toEqual(['a', 'b']);
    expect(room.of('runtime.tools_call')).toHaveLength(1);
  });

  it('auto reports what a robot without keys rejects, and continues with unsigned commands', async () => {
    const plain = ({ payload }: FakeCall) =>
      (payload as { name: string }).name === 'reset' ? guardReply('PERMISSION_DENIED', 'Not in a task.') : doneReply('a');
    const envelope = () => guardReply('PERMISSION_DENIED', 'No signed envelopes.');
    const { session, room } = await createWorld({ identity: 'simplesim:r1', plain, envelope });
    await expect(session.invoke('reset', {})).rejects.toThrow('Not in a task.');
    expect(await session.invoke('set_velocity', {}, { actionId: 'a' })).toMatchObject({ status: 'done' });
    expect(room.of('runtime.forward_envelope')).toHaveLength(1);
  });

  it('auto reports why envelopes are rejected if nothing else is accepted', async () => {
    const plain = () => guardReply('PERMISSION_DENIED', 'Sign it.', { signed_control: true });
    const envelope = () => guardReply('PERMISSION_DENIED', 'No keys.');
    const { session } = await createWorld({ identity: 'simplesim:r1', plain, envelope });
    await expect(session.invoke('stop', {})).rejects.toThrow('No keys.');
  });

  it('auto sends unsigned commands if the service is older than signed control', async () => {
    const missing = () => ({ status: 404, body: { code: 'http.not_found', message: 'Nothing.', details: {} } });
    const { session, room, orders } = await createWorld({ refuseGrant: missing, plain: () => doneReply('a') });
    await session.invoke('stop', {}, { actionId: 'a' });
    await session.invoke('stop', {}, { actionId: 'a' });
    expect(orders).toHaveLength(1);
    expect(room.of('runtime.tools_call')).toHaveLength(2);
  });

  it('false never signs, and true always does', async () => {
    const never = await createWorld({ options: { signControl: false } });
    await expect(never.session.invoke('stop', {})).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
    expect(never.orders).toEqual([]);
    const always = await createWorld({ options: { signControl: true }, identity: 'simplesim:r1' });
    await always.session.invoke('stop', {});
    expect(always.room.of('runtime.tools_call')).toEqual([]);
    expect(always.carriedOut).toHaveLength(1);
  });
});

it('no printed output of a session contains its keys', async () => {
  const { session } = await createWorld();
  await session.invoke('stop', {});
  const { inspect } = await import('node:util');
  expect(inspect(session, { depth: 10, showHidden: true })).not.toMatch(/privateKey|CryptoKey|eyJ/);
});
