/** Input at a page without the lease: it names the driver, and neither moves nor stops the robot. */
import { describe, expect, it } from 'vitest';
import type { Driver } from '../../src/protocol/wire/driver.ts';
import { createViewerStore } from '../../src/viewer/engine/store.ts';
import type { Engine, Visit } from '../../src/viewer/engine/types.ts';
import { anotherDrives, leaseOf } from '../../src/viewer/ui/common/lease.ts';
import { createDriveController } from '../../src/viewer/ui/drive/drive-controller.ts';
import { cockpit, FORWARD, REST, story } from './cockpit-robot.ts';
import { runtimeState, stillEngine } from './examples.ts';

const ANN: Driver = { identity: 'ann', name: 'Ann', kind: 'person', since_ms: 1, asked_by: [] };
const PAGE: Driver = { ...ANN, identity: null };
const AGENT: Driver = { ...PAGE, kind: 'agent' };
const VISIT: Visit = {
  access: 'drive',
  robotIsThere: true,
  offlineSinceMs: null,
  freshness: 'live',
  ageMs: 1,
  lostShare: 0,
  isStopped: false,
  status: null,
  roundTripMs: 1,
  isAnswered: true,
  stopProblem: null,
  stopDone: null,
  problem: null,
};
const drivenBy = (driver: Driver | null) => {
  const state = runtimeState();
  return { ...state, robot: { ...state.robot, extra: { ...state.robot.extra, driver } } };
};

describe('the driver as a page knows it', () => {
  const self = (identity: string) => ({ identity, name: identity, joinedAtMs: 1, isSelf: true });

  it('another driver is recognised by the identity in the room, which the robot’s own page does not have', () => {
    const own = { visit: null, participants: [self('simplesim:r1')] };
    expect(anotherDrives({ ...own, runtime: drivenBy(PAGE) })).toBeNull();
    expect(anotherDrives({ ...own, runtime: drivenBy(ANN) })).toBe(ANN);
    // An agent in the browser of the page is another caller than the person at it.
    expect(anotherDrives({ ...own, runtime: drivenBy(AGENT) })).toBe(AGENT);
    const visitorState = { visit: VISIT, participants: [self('ann')] };
    expect(anotherDrives({ ...visitorState, runtime: drivenBy(ANN) })).toBeNull();
    expect(anotherDrives({ ...visitorState, runtime: drivenBy(PAGE) })).toBe(PAGE);
    expect(anotherDrives({ ...visitorState, runtime: drivenBy(null) })).toBeNull();
  });

  it('the driver is read from the stream if the robot cannot be asked, and is unknown if nothing arrives', () => {
    const status = { runtime: 'ready', robot: 'ready', action: null, phase: null, emergencyStop: false };
    const { asked_by: _, ...facts } = ANN;
    expect(leaseOf({ runtime: null, visit: { ...VISIT, status: { ...status, driver: facts } } })).toMatchObject({ name: 'Ann' });
    expect(leaseOf({ runtime: null, visit: { ...VISIT, status: { ...status, driver: null } } })).toBeNull();
    expect(leaseOf({ runtime: null, visit: VISIT })).toBeUndefined();
  });
});

describe('keys of a page without the lease', () => {
  function drive() {
    const sent: number[] = [];
    let nowMs = 0;
    const store = createViewerStore();
    store.setState({ runtime: drivenBy(null) });
    const engine: Engine = {
      ...stillEngine({}),
      store,
      call: (method, payload) => {
        if (method !== 'runtime.tools_call') return Promise.reject(new Error('not asked for'));
        sent.push((payload as { input: { vx: number } }).input.vx);
        return new Promise(() => undefined);
      },
    };
    const deps = { engine, nowMs: () => nowMs, epochMs: () => nowMs, newStroke: () => 's', speedShare: 1 };
    const controller = createDriveController(deps);
    const later = (ms: number) => {
      for (const endMs = nowMs + ms; nowMs < endMs; controller.tick()) nowMs += 50;
    };
    return { controller, sent, later, store, notice: () => controller.view.getState().notice };
  }

  it('keys without the lease send nothing and name the driver, and send no standstill on release', () => {
    const { controller, sent, later, store, notice } = drive();
    store.setState({ runtime: drivenBy(ANN) });
    controller.hold('keys', FORWARD);
    later(1_000);
    expect(notice()).toBe('The person Ann drives this robot. Take it over at the top of the page.');
    controller.hold('keys', REST);
    later(1_000);
    controller.dispose();
    expect(sent).toEqual([]);
  });

  it('keys stop silently when the lease is lost, and move the robot again after a new push once it is free', () => {
    const { controller, sent, later, store } = drive();
    controller.hold('keys', FORWARD);
    expect(sent).toEqual([1.5]);
    store.setState({ runtime: drivenBy(ANN) });
    later(1_000);
    controller.hold('keys', REST);
    later(1_000);
    expect(sent).toEqual([1.5]);
    store.setState({ runtime: drivenBy(null) });
    controller.hold('keys', FORWARD);
    expect(sent).toEqual([1.5, 1.5]);
  });
});

describe('a cockpit without the lease', () => {
  it('a cockpit without the lease neither walks nor stops another driver', async () => {
    const { made, calls, later, drivenBy: lease, move, moves, stops, notice } = cockpit();
    lease(ANN);
    move(0.4);
    made.hold('keys', FORWARD);
    await later(300);
    expect(notice()).toContain('The person Ann drives this robot.');
    made.hold('keys', REST);
    await later(1_000);
    made.dispose();
    await later(1_000);
    expect(story(calls)).toEqual([]);
    expect(stops()).toBe(0);
    expect(moves()).toBe(true);
  });

  it('a cockpit without the lease does not enter arm mode, which would start with a stop', async () => {
    const { made, calls, later, drivenBy: lease, mode, notice } = cockpit();
    lease(ANN);
    made.toggleArms();
    await later(500);
    expect([mode(), calls]).toEqual(['off', []]);
    expect(notice()).toContain('The person Ann drives this robot.');
  });

  it('a cockpit releases legs and arms without a message when the lease is taken from it', async () => {
    const { made, calls, later, drivenBy: lease, mode, stops } = cockpit();
    made.hold('keys', FORWARD);
    await later(200);
    lease(ANN);
    await later(100);
    const walked = calls.length;
    made.hold('keys', REST);
    await later(1_000);
    expect(story(calls.slice(walked))).toEqual([]);
    lease(null);
    made.toggleArms();
    await later(500);
    expect(mode()).toBe('on');
    lease(ANN);
    await later(20);
    const posed = calls.length;
    await later(1_000);
    expect([mode(), story(calls.slice(posed)), stops()]).toEqual(['off', [], 0]);
  });

  it('a cockpit does not answer a rejection for the lease with a zero velocity, even before the state reports it', async () => {
    const { made, calls, later, refuse, moves, move } = cockpit();
    refuse({ code: 'NOT_CONTROLLER', message: 'The person Ann drives.' });
    move(0.4);
    made.hold('keys', FORWARD);
    await later(50);
    made.hold('keys', REST);
    await later(1_000);
    expect(story(calls)).toEqual(['velocity']);
    expect(moves()).toBe(true);
  });

  it('a cockpit without the lease still stops the robot when a person presses Stop', async () => {
    const { made, later, drivenBy: lease, stops } = cockpit();
    lease(ANN);
    made.stop();
    await later(500);
    expect(stops()).toBe(1);
  });
});
