import { expect } from 'vitest';
import type { RoomKey } from '../../src/protocol/room/room-key.ts';
import { encodeRoomKey } from '../../src/protocol/room/room-key.ts';
import { callerName, PAGE, unsignedCaller } from '../../src/protocol/wire/caller.ts';
import { EMPTY_OVERLAY } from '../../src/protocol/wire/render-state.ts';
import { DEFAULT_ROBOT_ID } from '../../src/protocol/wire/robot.ts';
import { START_SCENE_ID } from '../../src/protocol/wire/scene-ids.ts';
import { endOf } from '../../src/room/ends.ts';
import type { Picture } from '../../src/room/session.ts';
import type { StoredAction } from '../../src/runtime/action-record.ts';
import type { EmergencyStop } from '../../src/runtime/emergency-state.ts';
import type { KeepOrder } from '../../src/runtime/host/sim-messages.ts';
import { itemsOf } from '../../src/viewer/engine/browser-storage.ts';
import { createEngine } from '../../src/viewer/engine/engine.ts';
import type { EngineDeps, RoomEvents } from '../../src/viewer/engine/engine-deps.ts';
import { createStopRecord } from '../../src/viewer/engine/kept/stop-record.ts';
import type { SimulationEvent } from '../../src/viewer/engine/simulation-client.ts';
import type { WorldMark } from '../../src/viewer/engine/tab-storage.ts';
import { FRAME, LAYOUT } from './fake-runtime.ts';

export const NOW_MS = 1_800_000_000_000;
const base64url = (text: string): string => Buffer.from(text).toString('base64url');

/** @param sfuUrl the media server that the key names */
export function keyFor(
  robot: string,
  over: { sub?: string; exp?: number; name?: string; video?: Record<string, unknown> } = {},
  sfuUrl = 'ws://127.0.0.1:7880',
): string {
  const claims = {
    sub: `simplesim:${robot}`,
    exp: NOW_MS / 1000 + 3_600,
    name: `Robot ${robot}`,
    video: { room: `room-${robot}`, roomJoin: true, canPublishData: true },
    ...over,
  };
  const token = `${base64url('{"alg":"HS256"}')}.${base64url(JSON.stringify(claims))}.c2ln`;
  return encodeRoomKey({ sfuUrl, token });
}

export const KEY = keyFor('r1');
/** A key of the same room, for the physical robot’s contract. */
export const RCW_KEY = keyFor('r1', { sub: 'rcw-r1' });
/** A turn of the head that ended after one millisecond. */
export const storedAction = (id: string, endedAtMs = 2): StoredAction => ({
  actionId: id,
  kind: 'tool',
  name: 'set_head',
  input: { yaw: 0.1 },
  caller: unsignedCaller('client'),
  parametersKey: 'set_head{"yaw":0.1}',
  status: 'done',
  result: { status: 'done', meta: { action_id: id, started_at_ms: endedAtMs - 1, finished_at_ms: endedAtMs, duration_ms: 1 } },
});

export const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

/** A browser’s storage with these items. */
export const storageOf = (items: Map<string, string>): Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> => ({
  getItem: (name) => items.get(name) ?? null,
  setItem: (name, text) => void items.set(name, text),
  removeItem: (name) => void items.delete(name),
});

/** The stop that a person presses at the page. */
export const PRESSED: EmergencyStop = { by: PAGE, sinceMs: NOW_MS, reason: null };

/** An engine whose whole environment the test controls. */
export function createFixture(
  takenKey: string | null = null,
  heldElsewhere = false,
  isSecurePage = true,
  profile: EngineDeps['contract']['profile'] = null,
  camerasBesidePhysics = true,
  worldMark: WorldMark | null = null,
  /** The storage that all tabs of the browser share. */
  browser = new Map<string, string>(),
) {
  const log: string[] = [];
  /** The contract that each world was started with. */
  const profiles: string[] = [];
  /** The states of the cameras that the simulation received. */
  const cameras: string[] = [];
  const kept: (string | null)[] = [];
  const pictures: Picture[] = [];
  const joins: { key: RoomKey; takeOver: boolean }[] = [];
  let emit: (event: SimulationEvent) => void = () => {};
  let room: RoomEvents = {
    onCall: async () => '',
    onState: () => {},
    onParticipants: () => {},
    onWatchers: () => {},
    onKey: () => {},
    onMetadata: () => {},
    onLeft: () => {},
    onOutOfReach: () => {},
  };
  let finishWarmUp = (): void => {};
  let failWarmUp = (): void => {};
  let layoutError: Error | null = null;
  const hideListeners = new Set<() => void>();
  /** Orders to keep the world: the one that the simulation was started with and those sent later. */
  const orders: KeepOrder[] = [];
  /** The owners of the records of each world. */
  const owners: string[] = [];
  const seeds: number[] = [];
  const scenes: string[] = [];
  const robots: string[] = [];
  /** Ids of the tasks that worlds were started with. */
  const tasks: (string | null)[] = [];
  let mark: WorldMark | null = worldMark;
  let simulations = 0;
  let ids = 0;
  let nowMs = NOW_MS;
  let online = true;
  let noteNetwork = (): void => {};
  let toolReply: string | null = null;

  const deps: EngineDeps = {
    takenKey,
    contract: { profile, signedControlRequired: true },
    keepKey: (key) => void kept.push(key),
    stops: createStopRecord(
      () => itemsOf(() => storageOf(browser)),
      itemsOf(() => storageOf(browser)),
    ),
    worldMark: {
      read: () => mark,
      write: (next) => {
        mark = next;
      },
    },
    localPlace: (isNew) => `this tab/${isNew ? 2 : 1}`,
    startSimulation(options, onEvent) {
      simulations += 1;
      const number = simulations;
      profiles.push(options.profile);
      orders.push(options.keep);
      owners.push(options.owner);
      seeds.push(options.seed);
      scenes.push(options.sceneId);
      robots.push(options.robotId);
      tasks.push(options.task?.id ?? null);
      emit = onEvent;
      return {
        async call({ method, payload }) {
          if (method === 'runtime.tools_call') log.push(`called ${payload}`);
          return toolReply ?? `{"answered":"${method}"}`;
        },
        proof: async () => ({ ok: false as const, problem: 'There is no proof.' }),
        takeScene: async (text) => {
          log.push(`scene file of ${text.length} characters`);
          const isScene = !text.includes('simplesim.task/');
          return isScene
            ? { ok: true, sceneId: 'own', title: 'Own' }
            : { ok: false, problems: [{ path: 'format', reason: 'must be "simplesim.scene/1".' }] };
        },
        finishCapture: (actionId, outcome) => void log.push(`capture ${actionId} ${JSON.stringify(outcome)}`),
        setCameras: (next) => void cameras.push(next.kind),
        setHidden: (hidden) => void log.push(`hidden ${hidden}`),
        noteLeft: (identity) => void log.push(`left ${identity}`),
        obeyOwner: ({ order_id }) => void log.push(`owner ${order_id}`),
        cancelActive: (by) => void log.push(`cancel by ${callerName(by)}`),
        setTrust: (trust) => void log.push(`trust ${trust.robotId} in ${trust.session}`),
        setEmergencyStop: (latched, by) => void log.push(`emergency stop ${latched} by ${callerName(by)}`),
        setWatchers: ({ present, isNew }) => void log.push(`watched ${present}${isNew ? ' by somebody new' : ''}`),
        keep: (order) => void orders.push(order),
        dispose: () => void log.push(`simulation ${number} disposed`),
      };
    },
    camerasBesidePhysics,
    async createCameras({ onProgress }) {
      log.push('cameras started');
      onProgress(1, 2);
      return {
        warmUp: () =>
          new Promise<void>((resolve, reject) => {
            finishWarmUp = resolve;
            failWarmUp = () => reject(new Error('no WebGL'));
          }),
        capture: async () => ({ jpeg: new Uint8Array([0xff, 0xd8, 0xff]), sha256: 'hash' }),
        async setLayout() {
          log.push('cameras got a layout');
          if (layoutError) throw layoutError;
        },
        dispose: () => void log.push('cameras disposed'),
      };
    },
    async createRoom(events) {
      room = events;
      return {
        join(key, options) {
          joins.push({ key, takeOver: options?.takeOver ?? false });
          if (!heldElsewhere || options?.takeOver) room.onState({ kind: 'joining' });
          else room.onState({ kind: 'ended', ...endOf('held_elsewhere', { nowMs, expiresAtMs: 0, profile: 'simulator' }) });
        },
        async leave() {
          room.onState({ kind: 'ended', ...endOf('left', { nowMs, expiresAtMs: 0, profile: 'simulator' }) });
        },
        sendEvent: (event) => void log.push(`told ${event.type}`),
        sendJpeg: async (picture) => void pictures.push(picture),
        sendWorld: (packets) => void log.push(`${packets.length} packets for watchers`),
        dispose: () => void log.push('room disposed'),
      };
    },
    onPageHide(listener) {
      hideListeners.add(listener);
      return () => hideListeners.delete(listener);
    },
    network: {
      isOnline: () => online,
      subscribe(onChange) {
        noteNetwork = onChange;
        return () => {};
      },
    },
    visibility: { isHidden: () => false, subscribe: () => () => {} },
    nowMs: () => nowMs,
    pageProtocol: 'http:',
    isSecurePage,
    productVersion: '0.1.0',
    seed: 1,
    sceneId: START_SCENE_ID,
    robotId: DEFAULT_ROBOT_ID,
    newId() {
      ids += 1;
      return `id ${ids}`;
    },
  };
  const engine = createEngine(deps);
  const state = () => engine.store.getState();
  return {
    deps,
    engine,
    state,
    log,
    cameras,
    profiles,
    kept,
    pictures,
    joins,
    browser,
    hidePage: () => {
      for (const listener of hideListeners) listener();
    },
    orders,
    owners,
    seeds,
    scenes,
    robots,
    tasks,
    mark: () => mark,
    simulations: () => simulations,
    emit: (event: SimulationEvent) => emit(event),
    call: (method: string) => room.onCall({ requestId: 'r', method, payload: '{}', callerIdentity: 'client' }),
    setConnection: (...args: Parameters<RoomEvents['onState']>) => room.onState(...args),
    setOutOfReach: (...args: Parameters<RoomEvents['onOutOfReach']>) => room.onOutOfReach(...args),
    setLeft: (identity: string) => room.onLeft(identity),
    setWatchers: (...args: Parameters<RoomEvents['onWatchers']>) => room.onWatchers(...args),
    setKey: (key: RoomKey) => room.onKey(key),
    setMetadata: (metadata: string) => room.onMetadata(metadata),
    /** Sets the simulation’s answer to all later calls. */
    setReply: (text: string) => {
      toolReply = text;
    },
    setOnline(next: boolean) {
      online = next;
      noteNetwork();
    },
    pass: (ms: number) => {
      nowMs += ms;
    },
    finishWarmUp: () => finishWarmUp(),
    failWarmUp: () => failWarmUp(),
    /** Sets the error of the cameras at their next places; null for no error. */
    failLayouts(error: Error | null) {
      layoutError = error;
    },
    /** Makes everything ready and joins the room. */
    async goLive() {
      emit({ kind: 'layout', layout: LAYOUT });
      emit({ kind: 'frame', renderState: FRAME, overlay: EMPTY_OVERLAY });
      emit({ kind: 'ready' });
      await settle();
      finishWarmUp();
      room.onState({ kind: 'connected' });
      await settle();
      expect(state().phase).toBe('live');
    },
  };
}
