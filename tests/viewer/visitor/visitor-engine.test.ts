import { describe, expect, test } from 'vitest';
import { EMPTY_OVERLAY, type RenderState } from '../../../src/protocol/wire/render-state.ts';
import { WORLD_TOPIC, type WorldFrame } from '../../../src/protocol/world-stream/world-frame.ts';
import type { RoomParticipant } from '../../../src/room/connection-state.ts';
import { visitEndOf } from '../../../src/room/visitor-ends.ts';
import { builtInScene, placeOf } from '../../../src/simulation/scene.ts';
import { createVisitorEngine, type VisitorRoomEvents } from '../../../src/viewer/engine/visitor/visitor-engine.ts';
import { visitNotice } from '../../../src/viewer/visitor/visit-texts.ts';

const FRAME: RenderState = {
  step: 12,
  simTimeS: 0.1,
  rootPose: { position: [1, 2, 0.8], orientation: [0, 0, 0, 1] },
  jointPositions: [0.1],
  things: [{ entityId: 'cube_1', colour: 'red', held: false, position: [2, 2, 0.075], orientation: [0, 0, 0, 1] }],
  collected: [],
  cameras: { pov: { position: [1, 2, 1.4], orientation: [0, 0, 0, 1], verticalFovDeg: 70 } },
  colourMode: 'natural',
  fixtures: [],
};
const KEY = {
  sfuUrl: 'ws://127.0.0.1:7880',
  token: 'a.b.c',
  room: 'room-1',
  identity: 'watcher-1',
  name: 'watcher',
  access: 'watch' as const,
  expiresAtMs: 1_800_000_000_000,
};
const ROBOT: RoomParticipant = { identity: 'simplesim:r1', name: 'Robot one', joinedAtMs: 5, isSelf: false };
const SELF: RoomParticipant = { identity: 'watcher-1-x', name: 'watcher', joinedAtMs: 9, isSelf: true };
const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

/** The engine of a viewer’s page whose clock, room and stream the test controls. A packet is the number of a frame. */
async function createFixture(access: 'watch' | 'drive' = 'watch') {
  const kept: (string | null)[] = [];
  const frames: WorldFrame[] = [];
  const joined: string[] = [];
  let nowMs = 0;
  let otherVersion: number | null = null;
  let report = (): void => {};
  let room: VisitorRoomEvents | null = null;
  const engine = createVisitorEngine({
    takenKey: 'key',
    readKey: () => ({ ok: true, key: { ...KEY, access } }),
    keepKey: (key) => kept.push(key),
    async createRoom(events) {
      room = events;
      return {
        join: ({ identity }) => joined.push(identity),
        call: async () => '{}',
        sendLossy: () => {},
        leave: async () => {},
        dispose: () => {},
      };
    },
    createReader: () => ({
      take: (bytes) => frames[bytes[0] ?? 0] ?? null,
      get otherVersion() {
        return otherVersion;
      },
    }),
    placeOf(sceneId) {
      const scene = builtInScene(sceneId);
      return scene && placeOf(scene, 'humanoid');
    },
    tryHere: () => {},
    signer: { send: ({ method, payload, send }) => send({ method, payload: JSON.stringify(payload) }) },
    pressOverHttp: null,
    newId: () => 'id',
    nowMs: () => nowMs,
    epochMs: () => nowMs,
    sleep: async () => {},
    isHidden: () => false,
    every(_periodMs, task) {
      report = task;
      return () => {};
    },
    network: { isOnline: () => true, subscribe: () => () => {} },
  });
  await settle();
  const events = room as VisitorRoomEvents | null;
  if (!events) throw new Error('no room');
  events.onMetadata('{"robot_id":"r1"}');
  return {
    engine,
    kept,
    joined,
    events,
    state: () => engine.store.getState(),
    /** A packet of another version of the stream. */
    sendOfVersion(version: number) {
      otherVersion = version;
      events.onData({ bytes: Uint8Array.of(frames.length), topic: WORLD_TOPIC, identity: ROBOT.identity });
      otherVersion = null;
    },
    visit: () => engine.store.getState().visit,
    notice: () => {
      const state = engine.store.getState();
      return state.visit && visitNotice({ ...state, visit: state.visit });
    },
    pass(ms: number) {
      nowMs += ms;
      report();
    },
    send(state: RenderState, over: Partial<WorldFrame> = {}, identity = ROBOT.identity) {
      frames.push({
        sceneId: 'warehouse',
        robotId: 'humanoid',
        state,
        status: { runtime: 'ready', robot: 'ready', action: null, phase: null, emergencyStop: false, driver: null },
        overlay: EMPTY_OVERLAY,
        stepTimeMs: nowMs,
        takenAtMs: nowMs,
        delayMs: 0,
        lostPackets: 0,
        comePackets: frames.length + 1,
        ...over,
      });
      events.onData({ bytes: Uint8Array.of(frames.length - 1), topic: WORLD_TOPIC, identity });
    },
  };
}

async function createSeen(access: 'watch' | 'drive' = 'watch') {
  const fixture = await createFixture(access);
  fixture.events.onState({ kind: 'connected' });
  fixture.events.onParticipants([SELF, ROBOT]);
  fixture.send(FRAME);
  fixture.pass(50);
  return fixture;
}

describe('the page of a viewer', () => {
  test('joins automatically, and shows the robot’s world as soon as a state has arrived', async () => {
    const { joined, events, state, pass, send, engine } = await createFixture();
    expect(joined).toEqual(['watcher-1']);
    expect(state()).toMatchObject({ phase: 'loading', visit: { access: 'watch', freshness: 'none' } });
    events.onState({ kind: 'connected' });
    events.onParticipants([SELF, ROBOT]);
    send(FRAME);
    expect(state()).toMatchObject({
      phase: 'live',
      robot: { name: 'Robot one' },
      visit: { freshness: 'live', robotIsThere: true },
    });
    expect(engine.layout()?.scene_id).toBe('warehouse');
    expect(engine.frames.latest()).toBe(FRAME);
    pass(100);
    expect(state().scene?.entities.robot?.pose.position).toEqual([...FRAME.rootPose.position]);
  });

  test('shows the name that the owner gave the robot, whatever the name of its worker in the room', async () => {
    const { events, state } = await createFixture();
    events.onRobotName('Bolt');
    expect(state().robot?.name).toBe('Bolt');
    events.onState({ kind: 'connected' });
    events.onMetadata('{"robot_id": "r1"}');
    events.onParticipants([SELF, { ...ROBOT, name: 'Robot Control Worker' }]);
    expect(state().robot).toEqual({ id: 'r1', name: 'Bolt' });
  });

  test('shows the age of the displayed state from the first second', async () => {
    const { pass, visit, notice, send, state } = await createSeen();
    expect(notice()).toBeNull();
    pass(900);
    expect(visit()?.freshness).toBe('live');
    pass(100);
    expect(visit()?.freshness).toBe('old');
    expect(state().statusText).toBe('Not seen now');
    expect(notice()).toBe('What you see is 1 s old. Nothing newer comes from the robot.');
    pass(11_000);
    expect(visit()?.freshness).toBe('lost');
    send(FRAME);
    pass(10);
    expect(visit()?.freshness).toBe('live');
  });

  test('shows since when the robot is offline, keeps the last state, and continues with the next runtime', async () => {
    const { events, pass, notice, send, visit, engine } = await createSeen();
    events.onParticipants([SELF]);
    pass(3_000);
    expect(notice()).toMatch(/^The robot has been offline since (\d+ \w+, )?\d\d:\d\d:\d\d\. /);
    const since = visit()?.offlineSinceMs;
    pass(5_000);
    events.onParticipants([SELF]);
    pass(100);
    expect(visit()?.offlineSinceMs).toBe(since);
    expect(notice()).toContain('What you see is 8 s old.');
    expect(engine.frames.latest()).toBe(FRAME);
    // Another machine whose clock is a day behind.
    events.onParticipants([SELF, { ...ROBOT, joinedAtMs: 77 }]);
    const next = { ...FRAME, step: 1 };
    send(next, { stepTimeMs: -86_400_000 });
    pass(10);
    expect(visit()).toMatchObject({ freshness: 'live', robotIsThere: true, offlineSinceMs: null });
    expect(engine.frames.latest()).toBe(next);
    expect(notice()).toBeNull();
  });

  test('shows no time for a robot that left while this page was away itself', async () => {
    const { events, pass, notice, visit } = await createSeen();
    events.onState({ kind: 'reconnecting', sinceMs: 0 });
    events.onParticipants([SELF]);
    pass(60_000);
    events.onState({ kind: 'connected' });
    events.onParticipants([SELF]);
    pass(100);
    expect(visit()?.offlineSinceMs).toBeNull();
    expect(notice()).toMatch(/^The robot is offline\. /);
  });

  test('accepts world states from the robot only', async () => {
    const { send, engine, events } = await createSeen();
    send({ ...FRAME, step: 9 }, {}, 'agent-1');
    events.onData({ bytes: Uint8Array.of(0), topic: 'something.else', identity: ROBOT.identity });
    expect(engine.frames.latest()).toBe(FRAME);
  });

  test('shows no world when the robot shows nothing or an unknown scene', async () => {
    const { events, pass, state, notice, send } = await createFixture();
    events.onState({ kind: 'connected' });
    events.onParticipants([SELF]);
    pass(1_900);
    expect(state().phase).toBe('loading');
    pass(200);
    expect(state().phase).toBe('live');
    expect(notice()).toContain('The robot is offline.');
    events.onParticipants([SELF, ROBOT]);
    expect(notice()).toBe('The robot is in the room, but has not sent its world yet.');
    send(FRAME, { sceneId: 'moon' });
    pass(10);
    expect(notice()).toBe(
      'The robot stands in the scene moon, which this page does not know and cannot draw. A scene from a file is known only to the page where it was opened. If the scene is from a newer version, reload this page.',
    );
  });

  test('reports a robot whose version it cannot read, and continues with one that it can read', async () => {
    const { sendOfVersion, notice, send, pass, engine } = await createSeen();
    sendOfVersion(99);
    expect(notice()).toContain('Reload the page for the newest viewer.');
    send(FRAME);
    pass(10);
    expect(notice()).toBeNull();
    sendOfVersion(1);
    expect(notice()).toContain('The robot runs an older version');
    expect(engine.frames.latest()).toBe(FRAME);
  });

  test('reports on an operator’s page that the robot does not answer although its states arrive', async () => {
    const { pass, send, notice, visit } = await createSeen('drive');
    for (let k = 0; k < 40; k += 1) {
      send({ ...FRAME, step: 20 + k });
      pass(100);
      await settle();
      if (k === 25) expect(notice()).toBeNull();
    }
    expect(visit()).toMatchObject({ freshness: 'live', isAnswered: false, roundTripMs: null });
    expect(notice()).toContain('it does not answer this page');
  });

  test('sends no commands, and forgets its link when the viewer leaves or the session ends', async () => {
    const { engine, kept, events, state } = await createSeen();
    await expect(engine.call('runtime.state', {})).rejects.toThrow('only watches');
    await expect(engine.capture('pov', 320, 240)).rejects.toThrow('only watches');
    expect(engine.heldKey()).toBeNull();
    events.onState({ kind: 'ended', ...visitEndOf('session_deleted', { nowMs: 0, expiresAtMs: 1, access: 'watch' }) });
    expect(state().phase).toBe('ended');
    expect(kept).toEqual([null]);
  });
});
