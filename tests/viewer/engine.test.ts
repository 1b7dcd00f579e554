import { describe, expect, it } from 'vitest';
import { NEW_LINK } from '../../src/protocol/room/room-key.ts';
import { EMPTY_OVERLAY } from '../../src/protocol/wire/render-state.ts';
import { endOf } from '../../src/room/ends.ts';
import type { SimulationEvent } from '../../src/viewer/engine/simulation-client.ts';
import { createFixture, KEY, keyFor, NOW_MS, settle, storedAction } from './engine-fixture.ts';
import { FRAME, LAYOUT, RUNTIME_STATE } from './fake-runtime.ts';

describe('the gate', () => {
  it('a tab without a key shows the gate and the world, without cameras or room', async () => {
    const { state, log, emit, joins } = createFixture();
    emit({ kind: 'layout', layout: LAYOUT });
    await settle();
    expect(state().phase).toBe('gate');
    expect(log).toEqual([]);
    expect(joins).toEqual([]);
  });

  it('the gate reports what is wrong with a key, and stores the key nowhere', () => {
    const { engine, state, kept } = createFixture();
    engine.connect('hello');
    expect(state().gateProblem).toMatch(/^This is not a room key/);
    expect(kept).toEqual([]);
    engine.connect(keyFor('r1', { exp: NOW_MS / 1000 - 1_200 }));
    expect(state().gateProblem).toBe(
      `This key expired 20 minutes ago. ${NEW_LINK} If it should still be valid, check this device’s clock: it may run ahead.`,
    );
    expect(state().phase).toBe('gate');
  });

  it('the gate reports that an unencrypted page from another machine cannot be a robot', () => {
    const { engine, state, joins } = createFixture(null, false, false);
    engine.connect(KEY);
    expect(state().gateProblem).toMatch(/^This page came unencrypted from another machine/);
    expect(joins).toEqual([]);
  });

  it('an unencrypted page reports this when a robot is tried, instead of failing at the first call', () => {
    const { engine, state } = createFixture(null, false, false);
    engine.tryHere();
    expect(state()).toMatchObject({ phase: 'gate', local: false });
    expect(state().gateProblem).toMatch(/^This page came unencrypted from another machine/);
  });

  it('the gate forgets a bad key of the link, so that a reload does not bring it back', () => {
    expect(createFixture('http://h/?key=k1~bad').kept).toEqual([null]);
  });

  it('the gate accepts a pasted key, keeps it for a reload and continues with the running world', async () => {
    const { engine, state, kept, joins, simulations } = createFixture();
    engine.connect(`  "http://h/?key=${KEY}"\n`);
    await settle();
    expect(state()).toMatchObject({ phase: 'loading', gateProblem: null, robot: { id: 'r1', name: 'Robot r1' } });
    expect(kept).toEqual([KEY]);
    expect(joins).toMatchObject([{ key: { room: 'room-r1' }, takeOver: false }]);
    expect(simulations()).toBe(1);
  });
});

describe('loading', () => {
  it('P15: answers NOT_READY with the part and its progress until the robot can act, and is live before its cameras are', async () => {
    const fixture = createFixture(KEY);
    const { emit, call, state } = fixture;
    await settle();
    emit({ kind: 'progress', fraction: 0.42 });
    const early = JSON.parse(await call('runtime.tools_list'));
    expect(early).toMatchObject({ status: 'failed', error: { code: 'NOT_READY' } });
    expect(early.error.message).toMatch(/physics/);
    expect(early.error.message).toMatch(/42/);
    emit({ kind: 'layout', layout: LAYOUT });
    emit({ kind: 'ready' });
    await settle();
    expect(await call('runtime.state')).toBe('{"answered":"runtime.state"}');
    // The room is the last part here: calls are served while the page still shows that it is loading.
    expect(state().phase).toBe('loading');
    fixture.setConnection({ kind: 'connected' });
    expect(state().phase).toBe('live');
    expect(fixture.cameras).toEqual([]);
    fixture.finishWarmUp();
    await settle();
    expect(state().loading.every(({ done, fraction }) => done && fraction === 1)).toBe(true);
    expect(fixture.cameras).toEqual(['ready']);
  });

  it('a robot whose cameras do not work is live without them, and captures fail with a sentence', async () => {
    const fixture = createFixture(KEY);
    fixture.emit({ kind: 'layout', layout: LAYOUT });
    fixture.emit({ kind: 'frame', renderState: FRAME, overlay: EMPTY_OVERLAY });
    fixture.emit({ kind: 'ready' });
    await settle();
    const early = fixture.engine.capture('pov', 64, 64);
    fixture.failWarmUp();
    await expect(early).rejects.toThrow(/WebGL/);
    await settle();
    fixture.setConnection({ kind: 'connected' });
    expect(fixture.state().phase).toBe('live');
    expect(fixture.state().loading.find(({ id }) => id === 'cameras')?.problem).toMatch(/WebGL/);
    await expect(fixture.engine.capture('pov', 64, 64)).rejects.toThrow(/WebGL/);
    expect(fixture.cameras).toEqual(['broken']);
  });

  it('the page gets a picture when the cameras are ready, and none without a robot', async () => {
    const gate = createFixture();
    gate.emit({ kind: 'frame', renderState: FRAME, overlay: EMPTY_OVERLAY });
    await expect(gate.engine.capture('pov', 64, 64)).rejects.toThrow(/no robot yet/);
    const fixture = createFixture(KEY);
    await expect(fixture.engine.capture('pov', 64, 64)).rejects.toThrow(/still loading/);
    fixture.emit({ kind: 'layout', layout: LAYOUT });
    fixture.emit({ kind: 'frame', renderState: FRAME, overlay: EMPTY_OVERLAY });
    let taken = false;
    const picture = fixture.engine.capture('pov', 64, 64).then((blob) => {
      taken = true;
      return blob;
    });
    await settle();
    expect(taken).toBe(false);
    fixture.finishWarmUp();
    expect((await picture).type).toBe('image/jpeg');
  });

  it('the cameras start when the robot can act if no processor is free', async () => {
    const fixture = createFixture(KEY, false, true, null, false);
    fixture.emit({ kind: 'layout', layout: LAYOUT });
    await settle();
    expect(fixture.log).not.toContain('cameras started');
    fixture.emit({ kind: 'ready' });
    await settle();
    expect(fixture.log).toContain('cameras started');
  });

  it('P5: the actions that a reload restores are listed after those of this page', async () => {
    const fixture = createFixture(KEY);
    await settle();
    fixture.emit({ kind: 'recalled', actions: [storedAction('a')] });
    expect(fixture.state().actions).toMatchObject([
      { actionId: 'a', status: 'done', startedAtMs: 1, finishedAtMs: 2, progress: null },
    ]);
    fixture.emit({ kind: 'recalled', actions: [storedAction('b')] });
    expect(fixture.state().actions.map(({ actionId }) => actionId)).toEqual(['a', 'b']);
  });
});

describe('live', () => {
  const job = {
    actionId: 'capture-1',
    callerIdentity: 'client',
    camera: 'pov',
    widthPx: 64,
    heightPx: 32,
    quality: 0.7,
    streamId: 'stream-1',
    topic: 'platform.camera_capture',
    frame: { step: 7, sim_time_s: 0.0583 },
    renderState: FRAME,
    annotations: false,
  } as unknown as Extract<SimulationEvent, { kind: 'capture' }>['job'];

  it('has a picture drawn, sends it only to its caller, and reports the outcome after that', async () => {
    const fixture = createFixture(KEY);
    await settle();
    await fixture.goLive();
    fixture.emit({ kind: 'capture', job });
    await settle();
    expect(fixture.pictures).toMatchObject([
      {
        topic: 'platform.camera_capture',
        name: 'stream-1',
        destinationIdentity: 'client',
        attributes: {
          request_id: 'stream-1',
          width: '64',
          height: '32',
          camera: 'pov',
          step: '7',
          sim_time_s: '0.0583',
          byte_length: '3',
          sha256: 'hash',
        },
      },
    ]);
    expect(fixture.log.at(-1)).toBe('capture capture-1 {"ok":true,"byteLength":3}');
  });

  it('takes a picture for the page, and calls the runtime for it', async () => {
    const { engine, goLive } = createFixture(KEY);
    await settle();
    await goLive();
    const blob = await engine.capture('topdown', 64, 64);
    expect([blob.type, blob.size]).toEqual(['image/jpeg', 3]);
    await expect(engine.capture('zzz', 64, 64)).rejects.toThrow(/^There is no camera "zzz"; there are [^.]*\.$/);
    expect(await engine.call('runtime.state', {})).toEqual({ answered: 'runtime.state' });
  });

  it('describes state, actions and a freeze in words', async () => {
    const fixture = createFixture(KEY);
    await settle();
    await fixture.goLive();
    const timing = { stepsPerSecond: 120, realTimeFactor: 1 };
    fixture.emit({ kind: 'state', runtime: RUNTIME_STATE, scene: null, timing });
    expect(fixture.state()).toMatchObject({ statusText: 'Ready', stepsPerSecond: 120 });
    fixture.emit({ kind: 'suspended', gapMs: 12_300 });
    fixture.emit({ kind: 'state', runtime: RUNTIME_STATE, scene: null, timing });
    expect(fixture.state().statusText).toBe('Frozen by the browser for 12 s');
    fixture.pass(6_000);
    fixture.emit({ kind: 'state', runtime: RUNTIME_STATE, scene: null, timing });
    expect(fixture.state().statusText).toBe('Ready');
  });

  it('starts again after a fault of the simulation, in the place where its actions are kept', async () => {
    const fixture = createFixture(KEY);
    await settle();
    await fixture.goLive();
    fixture.pass(60_000);
    fixture.emit({ kind: 'failed', message: 'It stopped.' });
    expect(fixture.simulations()).toBe(2);
    expect(fixture.orders.at(-1)).toMatchObject({ isMine: true });
    expect(JSON.parse(await fixture.call('runtime.state'))).toMatchObject({ error: { code: 'NOT_READY' } });
    await fixture.goLive();
  });
});

describe('the ends of a visit', () => {
  const ended = (reason: Parameters<typeof endOf>[0]) =>
    ({ kind: 'ended', ...endOf(reason, { nowMs: NOW_MS, expiresAtMs: NOW_MS, profile: 'simulator' }) }) as const;

  it.each(['session_deleted', 'key_expired', 'refused'] as const)(
    'the end %s stops the robot and forgets the key',
    async (reason) => {
      const fixture = createFixture(KEY);
      await settle();
      await fixture.goLive();
      fixture.setConnection(ended(reason));
      expect(fixture.state().phase).toBe('ended');
      expect(fixture.log).toContain("cancel by the robot's tab, which left the room");
      expect(fixture.kept.at(-1)).toBeNull();
      fixture.engine.retry();
      await settle();
      expect(fixture.joins).toHaveLength(1);
    },
  );

  it('P15: a tab that is not the robot commands nothing, shows little and warms up no cameras until it takes over', async () => {
    const fixture = createFixture(KEY, true);
    fixture.emit({ kind: 'layout', layout: LAYOUT });
    await settle();
    expect(fixture.state().connection).toMatchObject({ kind: 'ended', reason: 'held_elsewhere' });
    expect(fixture.log).toEqual(['hidden true']);
    fixture.engine.retry();
    await settle();
    expect(fixture.log).toEqual(['hidden true', 'hidden false', 'cameras started']);
  });

  it('a link with this parameter takes the robot over without a person, only when it is first opened', async () => {
    const fixture = createFixture(`http://localhost:8080/?key=${KEY}#take_over=1`);
    await settle();
    expect(fixture.joins).toMatchObject([{ takeOver: true }]);
    // A reload uses the key that the tab keeps.
    expect(fixture.kept.at(-1)).toBe(KEY);
    fixture.setConnection(ended('taken_over'));
    await settle();
    expect(fixture.joins).toHaveLength(1);
  });

  it('takes the robot over again on retry after another tab took it', async () => {
    const fixture = createFixture(KEY);
    await settle();
    await fixture.goLive();
    fixture.setConnection(ended('taken_over'));
    expect(fixture.kept.at(-1)).toBe(KEY);
    fixture.engine.retry();
    await settle();
    expect(fixture.joins.at(-1)).toMatchObject({ takeOver: true });
    fixture.setConnection({ kind: 'connected' });
    expect(fixture.state().phase).toBe('live');
  });

  it('a person who leaves forgets the key and returns to the gate for another one', async () => {
    const fixture = createFixture(KEY);
    await settle();
    await fixture.goLive();
    fixture.engine.disconnect();
    expect(fixture.state().connection).toMatchObject({ kind: 'ended', reason: 'left' });
    expect(fixture.kept.at(-1)).toBeNull();
    fixture.engine.disconnect();
    expect(fixture.state().phase).toBe('gate');
    fixture.engine.connect(keyFor('r2'));
    await settle();
    expect(fixture.state().robot).toEqual({ id: 'r2', name: 'Robot r2' });
    expect(fixture.simulations()).toBe(2);
    expect(fixture.log).toContain('simulation 1 disposed');
  });

  it('stays live while it rejoins', async () => {
    const fixture = createFixture(KEY);
    await settle();
    await fixture.goLive();
    fixture.setConnection({ kind: 'rejoining', attempt: 1, reason: 'The server is restarting.' });
    expect(fixture.state().phase).toBe('live');
  });

  it('forwards answers of the robot to the room, and departures and orders of the owner to the robot', async () => {
    const fixture = createFixture(KEY);
    await settle();
    await fixture.goLive();
    const owner_order = { order_id: 'order-1', ticket: 'life@1', driver: null };
    fixture.setMetadata(JSON.stringify({ robot_id: 'r1', owner_order }));
    fixture.setMetadata(JSON.stringify({ robot_id: 'r1', owner_order: { ...owner_order, ticket: 7 } }));
    expect(fixture.log.filter((line) => line.startsWith('owner'))).toEqual(['owner order-1']);
    fixture.emit({ kind: 'event', event: { type: 'emergency_stop', at_ms: 1, emergency_stop: null } });
    fixture.setLeft('client');
    expect(fixture.log).toEqual(expect.arrayContaining(['told emergency_stop', 'left client']));
  });

  it('records a participant that stops actions of others repeatedly, so that the page can show it', () => {
    const fixture = createFixture(KEY);
    expect(fixture.state().repeatedCancels).toBeNull();
    const by = { identity: 'client:a', name: 'Ada' };
    const last = { action_id: 'x', name: 'go_to', caller: 'client:b' };
    const event = { type: 'cancels_repeated', at_ms: 1, by, cancelled: 8, within_ms: 10_000, last } as const;
    fixture.emit({ kind: 'event', event });
    expect(fixture.state().repeatedCancels).toEqual(event);
  });

  it('releases everything when it is disposed', async () => {
    const fixture = createFixture(KEY);
    await settle();
    await fixture.goLive();
    fixture.engine.dispose();
    expect(fixture.log).toEqual(expect.arrayContaining(['room disposed', 'simulation 1 disposed', 'cameras disposed']));
  });
});
