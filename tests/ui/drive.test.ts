/** Driving by hand: held controls become commands, and a released robot stands in every case. */

import { describe, expect, it } from 'vitest';
import { callerOnWire, unsignedCaller } from '../../src/protocol/wire/caller.ts';
import { createViewerStore } from '../../src/viewer/engine/store.ts';
import type { ActionView, Engine } from '../../src/viewer/engine/types.ts';
import { createDriveController } from '../../src/viewer/ui/drive/drive-controller.ts';
import {
  COMMAND_LIVES_MS,
  type DriveState,
  dueCommand,
  initialDrive,
  NO_INTENT,
  outsideDeadZone,
  RENEW_EVERY_MS,
  wantedVelocity,
  withBlock,
  withIntent,
  withSent,
} from '../../src/viewer/ui/drive/drive-core.ts';
import { choosePad, type PadReading, padName, readPad } from '../../src/viewer/ui/drive/gamepad.ts';
import { keysIntent, losesKeyups } from '../../src/viewer/ui/drive/keyboard.ts';
import { speedToShow } from '../../src/viewer/ui/drive/measured-speed.ts';
import { actionView, runtimeState, stillEngine } from './examples.ts';

const EPOCH_MS = 1_800_000_000_000;
const FORWARD = { forward: 1, left: 0, turnLeft: 0 };
const forward = (state: DriveState) => withIntent(state, 'keys', FORWARD);

describe('a held direction', () => {
  it('a held direction is a share of the limits, no faster diagonally, and several sources add up to at most 100 %', () => {
    expect(wantedVelocity(forward(initialDrive(0.5)))).toEqual({ vx: 0.75, vy: 0, wz: 0 });
    const across = withIntent(initialDrive(1), 'keys', { forward: 1, left: 1, turnLeft: 0 });
    const { vx, vy } = wantedVelocity(across);
    expect(Math.hypot(vx, vy)).toBeCloseTo(1.5, 2);
    expect(wantedVelocity(withIntent(forward(initialDrive(1)), 'sticks', FORWARD)).vx).toBe(1.5);
    expect(wantedVelocity({ ...forward(initialDrive(1)), slow: true }).vx).toBeLessThan(0.6);
  });

  it('opposite keys cancel out, and arrow keys turn', () => {
    expect(keysIntent(new Set(['KeyW', 'KeyA']))).toEqual({ forward: 1, left: 1, turnLeft: 0 });
    expect(keysIntent(new Set(['KeyW', 'ArrowDown']))).toEqual(NO_INTENT);
    expect(keysIntent(new Set(['ArrowLeft']))).toEqual({ forward: 0, left: 0, turnLeft: 1 });
  });

  it('a stick has no effect in its dead zone, starts evenly at the zone’s edge, and gives full speed at the rim', () => {
    expect(outsideDeadZone(0.1, 0.1, 0.16)).toEqual([0, 0]);
    expect(outsideDeadZone(0, 1, 0.16)).toEqual([0, 1]);
    expect(outsideDeadZone(0.17, 0, 0.16)[0]).toBeLessThan(0.02);
    expect(outsideDeadZone(2, 0, 0.16)).toEqual([1, 0]);
    expect(outsideDeadZone(Number.NaN, 0, 0.16)).toEqual([0, 0]);
  });
});

it('held keys are forgotten on an event with Command, because macOS then sends no keyup', () => {
  expect(losesKeyups({ key: 'Meta', metaKey: true })).toBe(true);
  expect(losesKeyups({ key: 'Meta', metaKey: false })).toBe(true);
  expect(losesKeyups({ key: 'c', metaKey: true })).toBe(true);
  expect(losesKeyups({ key: 'w', metaKey: false })).toBe(false);
});

describe('the sent velocity', () => {
  it('renews a held velocity before it expires, sends changes sooner, and sends a standstill once and at once', () => {
    let state = forward(initialDrive(1));
    const first = dueCommand(state, 1_000, 1);
    expect(first).toEqual({ vx: 1.5, vy: 0, wz: 0, durationS: COMMAND_LIVES_MS / 1000 });
    if (!first) return;
    state = { ...withSent(state, first, 1_000), unanswered: 0 };
    expect(dueCommand(state, 1_000 + RENEW_EVERY_MS - 1, 1)).toBeNull();
    expect(dueCommand(state, 1_000 + RENEW_EVERY_MS, 1)).toEqual(first);
    expect(RENEW_EVERY_MS * 2).toBeLessThan(COMMAND_LIVES_MS);
    const turned = withIntent(state, 'keys', { forward: 0, left: 0, turnLeft: 1 });
    expect(dueCommand(turned, 1_070, 1)).toMatchObject({ vx: 0, wz: 1.5 });
    const released = withIntent(state, 'keys', NO_INTENT);
    const stop = dueCommand(released, 1_001, 1);
    expect(stop).toEqual({ vx: 0, vy: 0, wz: 0, durationS: 0 });
    if (stop) expect(dueCommand(withSent(released, stop, 1_001), 9_000, 1)).toBeNull();
  });

  it('sends no further velocity while the robot answers slowly, but a standstill never waits', () => {
    const slow = { ...forward(initialDrive(1)), sent: { vx: 1, vy: 0, wz: 0 }, sentAtMs: 0, unanswered: 2 };
    expect(dueCommand(slow, 60_000, 1)).toBeNull();
    expect(dueCommand(withIntent(slow, 'keys', NO_INTENT), 1, 1)).toMatchObject({ vx: 0 });
  });

  it('a velocity lives as long in real seconds, however fast simulated time runs', () => {
    expect(dueCommand(forward(initialDrive(1)), 0, 10)?.durationS).toBe(8);
    expect(dueCommand(forward(initialDrive(1)), 0, 0.5)?.durationS).toBe(0.4);
  });

  it('stays stopped after a block until every control has been released', () => {
    let state = withBlock(withIntent(forward(initialDrive(1)), 'gamepad', FORWARD));
    expect(wantedVelocity(state).vx).toBe(0);
    state = withIntent(state, 'keys', NO_INTENT);
    expect(wantedVelocity(state).vx).toBe(0);
    state = withIntent(state, 'gamepad', NO_INTENT);
    expect(wantedVelocity(forward(state)).vx).toBe(1.5);
  });
});

describe('a gamepad', () => {
  const pad = (change: Partial<PadReading> = {}): PadReading => ({
    id: 'Xbox Controller (STANDARD GAMEPAD Vendor: 045e Product: 02fd)',
    index: 0,
    connected: true,
    mapping: 'standard',
    axes: [0.05, -1, -0.5, 0],
    buttons: Array.from({ length: 17 }, () => ({ pressed: false })),
    ...change,
  });

  it('a gamepad walks with the left stick, turns with the right one, and stops with B', () => {
    const { intent, stop } = readPad(pad());
    expect(intent.forward).toBeCloseTo(1, 2);
    expect(intent.turnLeft).toBeGreaterThan(0.3);
    expect(stop).toBe(false);
    expect(readPad(pad({ buttons: [{ pressed: false }, { pressed: true }] })).stop).toBe(true);
  });

  it('the first gamepad stays in use, and a gamepad with unknown buttons never drives', () => {
    const second = pad({ index: 1 });
    expect(choosePad([pad(), second], 1)).toBe(second);
    expect(choosePad([null, pad({ mapping: '' })], null)).toBeNull();
    expect(choosePad([pad({ connected: false })], 0)).toBeNull();
    expect(padName(pad().id)).toBe('Xbox Controller');
    expect(padName('')).toBe('Gamepad');
  });
});

describe('driving the robot by hand', () => {
  interface Sent {
    input: { vx: number };
    options: { action_id: string };
    answer: (reply: unknown) => void;
  }
  const done = { status: 'done', result: {}, meta: { action_id: 'x', started_at_ms: 0, finished_at_ms: 0, duration_ms: 0 } };
  const failed = (code: string, details: object) => ({
    status: 'failed',
    error: {
      code,
      message: 'Because.',
      details: { stage: 'control', attempted: false, world_changed: 'no', retryable: true, ...details },
    },
  });

  const OWN_HAND = callerOnWire({ kind: 'page', hand: { stroke: { id: 's', number: 2 } } });

  function drive() {
    const sent: Sent[] = [];
    let nowMs = 0;
    let stops = 0;
    const theirs = actionView({ actionId: 'theirs', caller: unsignedCaller('sorter'), status: 'running', name: 'go_to' });
    const store = createViewerStore();
    store.setState({ runtime: runtimeState(), actions: [theirs] });
    const engine: Engine = {
      ...stillEngine({}),
      store,
      stop: () => {
        stops += 1;
      },
      call: (method, payload) =>
        method === 'runtime.tools_call'
          ? new Promise((answer) => sent.push({ ...(payload as Omit<Sent, 'answer'>), answer }))
          : Promise.reject(new Error('not asked for')),
    };
    const controller = createDriveController({
      engine,
      nowMs: () => nowMs,
      epochMs: () => EPOCH_MS + nowMs,
      newStroke: () => 's',
      speedShare: 1,
    });
    const pause = (ms: number) => {
      nowMs += ms;
      controller.tick();
    };
    /** Ticks like a page that nothing delays. */
    const later = (ms: number) => {
      for (let passedMs = 0; passedMs < ms; passedMs += 50) pause(Math.min(50, ms - passedMs));
    };
    return { controller, sent, later, pause, store, stops: () => stops, notice: () => controller.view.getState().notice };
  }
  const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

  it('numbers the commands of a stroke, and stops at once on release', () => {
    const { controller, sent, later } = drive();
    controller.hold('keys', FORWARD);
    later(RENEW_EVERY_MS);
    controller.hold('keys', NO_INTENT);
    expect(sent.map(({ input }) => input.vx)).toEqual([1.5, 1.5, 0]);
    expect(sent.map(({ options }) => options.action_id)).toEqual(['drive/s/1', 'drive/s/2', 'drive/s/3']);
  });

  describe('with another driver', () => {
    const theirs = (change: Partial<ActionView> = {}): ActionView => ({
      ...actionView({ name: 'set_velocity', input: { wz: 0.4 } }),
      actionId: 'theirs',
      caller: unsignedCaller('sorter'),
      status: 'running',
      finishedAtMs: null,
      result: null,
      ...change,
    });
    const stateAt = (epochMs: number) => {
      const state = runtimeState();
      return { ...state, timestamp: { ...state.timestamp, wall_time_ms: epochMs } };
    };

    it('does not take the robot back from a driver who took it since the first push, nor stop it, until a new push', () => {
      const { controller, sent, later, store, notice } = drive();
      controller.hold('keys', FORWARD);
      store.setState({ actions: [theirs({ actionId: 'theirs-anew' })] });
      later(RENEW_EVERY_MS);
      later(RENEW_EVERY_MS);
      expect(notice()).toMatch(/^sorter drives now\./);
      controller.hold('keys', NO_INTENT);
      expect(sent).toHaveLength(1);
      controller.hold('keys', FORWARD);
      expect(sent.map(({ input }) => input.vx)).toEqual([1.5, 1.5]);
    });

    it('takes over from another driver at the first push, and continues', () => {
      const { controller, sent, later, store } = drive();
      store.setState({ actions: [theirs({ name: 'go_to' })] });
      controller.hold('keys', FORWARD);
      later(RENEW_EVERY_MS);
      expect(sent).toHaveLength(2);
    });

    it('after an expired command drives on only when no one else drives, and stops without waiting', () => {
      const { controller, sent, later, pause, store } = drive();
      controller.hold('keys', FORWARD);
      pause(COMMAND_LIVES_MS + 1);
      expect(sent).toHaveLength(1);
      store.setState({ runtime: stateAt(EPOCH_MS) });
      later(10);
      expect(sent).toHaveLength(1);
      store.setState({ runtime: stateAt(EPOCH_MS + 1e9) });
      later(10);
      expect(sent).toHaveLength(2);
      pause(COMMAND_LIVES_MS + 1);
      controller.hold('keys', NO_INTENT);
      expect(sent.at(-1)?.input.vx).toBe(0);
    });

    it('processes the updates that arrived while the page was busy before it renews', () => {
      const { controller, sent, pause, later } = drive();
      controller.hold('keys', FORWARD);
      pause(RENEW_EVERY_MS + 100);
      expect(sent).toHaveLength(1);
      later(10);
      expect(sent).toHaveLength(2);
    });
  });

  it('reports why it stopped, and drives on only after every control was released', async () => {
    const { controller, sent, later, notice } = drive();
    controller.hold('gamepad', FORWARD);
    controller.halt('The page lost the keyboard.');
    expect(sent.at(-1)?.input.vx).toBe(0);
    expect(notice()).toBe('The page lost the keyboard.');
    later(5_000);
    expect(sent).toHaveLength(2);
    sent[0]?.answer(failed('CANCELLED', { superseded_by: 'drive/s/2', superseder: OWN_HAND }));
    await settle();
    controller.hold('gamepad', NO_INTENT);
    controller.hold('gamepad', FORWARD);
    later(100);
    expect(sent.at(-1)?.input.vx).toBe(1.5);
    expect(notice()).toBeNull();
  });

  it('reports nothing when nothing was driven', () => {
    const { controller, sent, notice } = drive();
    controller.halt('The page lost the keyboard.');
    expect([sent.length, notice()]).toEqual([0, null]);
  });

  it('gives way to another driver that takes over, without stopping it', async () => {
    const { controller, sent, later, notice } = drive();
    controller.hold('keys', FORWARD);
    sent[0]?.answer(failed('CANCELLED', { superseded_by: 'theirs' }));
    await settle();
    later(1_000);
    controller.hold('keys', NO_INTENT);
    expect(sent).toHaveLength(1);
    expect(notice()).toMatch(/^sorter drives now/);
  });

  it('is not deceived by an id like its own, because the superseder names its caller', async () => {
    const { controller, sent, notice } = drive();
    controller.hold('keys', FORWARD);
    sent[0]?.answer(failed('CANCELLED', { superseded_by: 'drive/s/2', superseder: callerOnWire(unsignedCaller('sorter')) }));
    await settle();
    expect(notice()).toMatch(/^Another client drives now/);
  });

  it('names the driver that took over as soon as the page knows of its action', async () => {
    const { controller, sent, store, notice } = drive();
    controller.hold('keys', FORWARD);
    sent[0]?.answer(failed('CANCELLED', { superseded_by: 'new' }));
    await settle();
    expect(notice()).toMatch(/^Another client drives now/);
    store.setState({ actions: [actionView({ actionId: 'new', caller: unsignedCaller('sorter'), status: 'running' })] });
    expect(notice()).toMatch(/^sorter drives now/);
  });

  it('stays stopped when another participant stops it, although a renewal was in transit', async () => {
    const { controller, sent, later, notice } = drive();
    controller.hold('keys', FORWARD);
    later(RENEW_EVERY_MS);
    sent[0]?.answer(failed('CANCELLED', { canceller: callerOnWire(unsignedCaller('sorter')) }));
    await settle();
    expect(sent.map(({ input }) => input.vx)).toEqual([1.5, 1.5, 0]);
    expect(notice()).toMatch(/^sorter stopped the robot/);
  });

  it('names the user of the legs', async () => {
    const { controller, sent, notice } = drive();
    controller.hold('keys', FORWARD);
    sent[0]?.answer(failed('BUSY', { active_action: { action_id: 'theirs' } }));
    await settle();
    expect(notice()).toMatch(/^sorter is using the legs/);
  });

  it('recognises its own superseding command', async () => {
    const { controller, sent, later, notice } = drive();
    controller.hold('keys', FORWARD);
    later(RENEW_EVERY_MS);
    sent[0]?.answer(failed('CANCELLED', { superseded_by: 'drive/s/2', superseder: OWN_HAND }));
    sent[1]?.answer(done);
    await settle();
    later(RENEW_EVERY_MS);
    expect(sent).toHaveLength(3);
    expect(notice()).toBeNull();
  });

  it('stops everything through its stop, and stops the robot when it is closed', () => {
    const { controller, sent, stops } = drive();
    controller.hold('keys', FORWARD);
    controller.stop();
    expect([sent.at(-1)?.input.vx, stops()]).toEqual([0, 1]);
    const other = drive();
    other.controller.hold('sticks', FORWARD);
    other.controller.dispose();
    expect(other.sent.at(-1)?.input.vx).toBe(0);
  });
});

describe('the measured speed', () => {
  const at = (simTimeS: number, x: number) => {
    const state = runtimeState();
    const pose = { ...state.robot.pose, position: [x, 0, 0] as [number, number, number] };
    return { ...state, timestamp: { ...state.timestamp, sim_time_s: simTimeS }, robot: { ...state.robot, pose } };
  };
  const walking = speedToShow(null, at(1, 0), at(1.1, 0.075));

  it('the measured speed is the distance between two states over their time, and stays until a newer state', () => {
    expect(walking?.linearMps).toBeCloseTo(0.75);
    const now = at(2, 1);
    expect(speedToShow(walking, now, now)).toBe(walking);
  });

  it('the measured speed is unknown while the robot reports no pose, and at its first report', () => {
    expect(speedToShow(walking, at(2, 1), null)).toBeNull();
    expect(speedToShow(null, null, at(9, 1))).toBeNull();
  });
});
