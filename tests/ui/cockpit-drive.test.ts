/** The order of calls while driving from the cockpit, recorded at a robot that answers like a worker. */
import { describe, expect, it } from 'vitest';
import { at, cockpit, EPOCH_MS, FORWARD, REST, story } from './cockpit-robot.ts';

describe('hold to drive, on a robot that keeps its velocity', () => {
  it('a drive sends a change at once by the worker’s own names, renews it, and sends a zero velocity on release', async () => {
    const { made, calls, later } = cockpit();
    made.hold('keys', { forward: 1, left: 0, turnLeft: 1 });
    expect(calls[0]).toMatchObject({ name: 'set_velocity', input: { vx: 1.5, vy: 0, vyaw: 1.5 } });
    expect(Object.keys(calls[0]?.input ?? {})).toEqual(['vx', 'vy', 'vyaw']);
    await later(1_000);
    expect(calls.length).toBe(5);
    made.hold('keys', REST);
    expect(story(calls).at(-1)).toBe('zero velocity');
    await later(1_000);
    expect(calls.length).toBe(6);
    expect(made.view.getState().lettingGo).toBe(false);
  });

  it('a drive repeats the zero velocity until it is confirmed, then presses the page’s stop', async () => {
    const { made, calls, later, stops } = cockpit({ answers: false });
    made.hold('keys', FORWARD);
    made.hold('keys', REST);
    await later(1_000);
    expect(story(calls)).toEqual(['velocity', ...new Array<string>(5).fill('zero velocity')]);
    expect(new Set(calls.map(({ id }) => id)).size).toBe(calls.length);
    expect(stops()).toBeGreaterThan(0);
    expect(made.view.getState().lettingGo).toBe(true);
  });

  it('a drive repeats the zero velocity also in a hidden page, whose timers are always late', async () => {
    const { made, calls, pause } = cockpit({ answers: false });
    made.hold('keys', FORWARD);
    made.halt('Test: out of view.');
    for (let beat = 0; beat < 3; beat += 1) await pause(1_000);
    expect(story(calls)).toEqual(['velocity', ...new Array<string>(4).fill('zero velocity')]);
  });

  it('a drive processes the updates that arrived while the page was busy before it renews', async () => {
    const { made, calls, later, pause } = cockpit();
    made.hold('keys', FORWARD);
    await later(10);
    await pause(400);
    expect(story(calls)).toEqual(['velocity']);
    await pause(10);
    expect(story(calls)).toEqual(['velocity', 'velocity']);
  });

  it('a drive leaves the robot to another participant that took it over', async () => {
    const { made, calls, later, act, notice } = cockpit();
    made.hold('keys', FORWARD);
    await later(20);
    act([at('set_velocity', EPOCH_MS + 30)]);
    await later(20);
    expect(notice()).toMatch(/^sorter drives now\. Let go/);
    made.hold('keys', REST);
    await later(500);
    expect(story(calls)).toEqual(['velocity']);
  });

  it('a drive stops the motion that its own renewal would continue after a stop of another participant', async () => {
    const { made, calls, later, act, notice } = cockpit();
    made.hold('keys', FORWARD);
    await later(300);
    act([at('stop', EPOCH_MS + 200)]);
    await later(20);
    expect(notice()).toMatch(/^sorter stopped the robot/);
    expect(story(calls)).toEqual(['velocity', 'velocity', 'zero velocity']);
  });

  it('a drive stops the motion that a renewal in transit starts again after a stop of another participant', async () => {
    const { made, later, act, park, land, move, moves, notice } = cockpit();
    made.hold('keys', FORWARD);
    await later(240);
    park();
    await later(20);
    move(0);
    act([at('stop', EPOCH_MS + 255)]);
    await later(20);
    expect(notice()).toMatch(/^sorter stopped the robot/);
    await land();
    await later(400);
    expect(moves()).toBe(false);
    expect(made.view.getState().lettingGo).toBe(false);
  });

  it('a drive stops the motion of a command that reached the robot only after the stop was confirmed', async () => {
    const { made, calls, later, report, park, land, moves } = cockpit();
    park();
    made.hold('keys', FORWARD);
    report({ emergency_stop: true });
    await later(10);
    report();
    await land();
    expect(story(calls)).toEqual(['velocity', 'zero velocity']);
    await later(400);
    expect(moves()).toBe(false);
  });

  it('a drive withdraws the notice of an unconfirmed stop when the stop is confirmed', async () => {
    const { made, later, park, land, notice } = cockpit();
    made.hold('keys', FORWARD);
    await later(20);
    park();
    made.hold('keys', REST);
    await later(900);
    expect(notice()).toMatch(/has not confirmed/);
    await land();
    await later(200);
    expect([made.view.getState().lettingGo, notice()]).toEqual([false, null]);
  });

  it('a gamepad that is read after the page was busy renews nothing before the robot’s updates are processed', async () => {
    const { made, calls, later, pause } = cockpit();
    made.hold('gamepad', FORWARD);
    await later(10);
    await pause(400);
    made.hold('gamepad', FORWARD);
    expect(story(calls)).toEqual(['velocity']);
    await pause(10);
    expect(story(calls)).toEqual(['velocity', 'velocity']);
  });

  it('the stop ends the stream and everything else through the page’s own stop', async () => {
    const { made, calls, later, stops, mode } = cockpit();
    made.toggleArms();
    await later(100);
    made.stop();
    const sent = calls.length;
    await later(1_000);
    expect([stops(), mode(), calls.length]).toEqual([1, 'off', sent]);
  });
});

describe('the emergency stop', () => {
  it('the emergency stop ends arm mode without another message to the robot, and nothing is sent while it is latched', async () => {
    const { made, calls, report, later, mode, notice } = cockpit();
    made.toggleArms();
    await later(100);
    report({ emergency_stop: true });
    await later(20);
    expect([mode(), story(calls)]).toEqual(['off', ['stop', 'pose']]);
    expect(notice()).toContain('emergency stop');
    const sent = calls.length;
    report({ emergency_stop: true });
    made.hold('keys', FORWARD);
    expect(calls.length).toBe(sent);
  });
});
