/** The order of calls of arm mode, recorded at a robot that answers like a worker. */
import { describe, expect, it } from 'vitest';
import { cockpit, FORWARD, MEASURED, REST, STANDING, story } from './cockpit-robot.ts';

describe('entering arm mode', () => {
  it('entering arm mode stops the drive first, then sends the measured pose', async () => {
    const { made, calls, later, mode } = cockpit();
    made.hold('keys', FORWARD);
    await later(300);
    made.toggleArms();
    expect(mode()).toBe('entering');
    await later(100);
    expect(mode()).toBe('on');
    expect(story(calls)).toEqual(['velocity', 'velocity', 'stop', 'pose']);
    expect(calls.find(({ name }) => name === 'set_upper_body')?.input).toEqual(MEASURED);
  });

  it('arm mode streams the measured pose 50 times a second while no other pose is requested', async () => {
    const { made, calls, later } = cockpit();
    made.toggleArms();
    await later(100);
    const before = calls.length;
    await later(1_000);
    expect(calls.length - before).toBe(50);
    expect(calls.at(-1)?.input).toEqual(MEASURED);
  });

  it('arm mode does not start when the stop is rejected, and reports the reason', async () => {
    const { made, calls, later, refuse, mode, notice } = cockpit();
    refuse({ code: 'PERMISSION_DENIED', message: 'Unsigned.' });
    made.toggleArms();
    await later(30);
    expect(mode()).toBe('off');
    expect(calls.some(({ name }) => name === 'set_upper_body')).toBe(false);
    expect(notice()).toContain('Unsigned.');
  });

  it('entering arm mode is given up when the robot never reports that it stands, and a zero velocity is repeated', async () => {
    const { made, calls, later, mode, notice, stops } = cockpit({ answers: false });
    made.hold('keys', FORWARD);
    made.toggleArms();
    await later(5_900);
    expect(mode()).toBe('entering');
    await later(1_200);
    expect(mode()).toBe('off');
    expect(notice()).toMatch(/has not (said|confirmed)/);
    expect(made.view.getState().lettingGo).toBe(true);
    expect(stops()).toBeGreaterThan(0);
    expect(story(calls).slice(0, 4)).toEqual(['velocity', 'stop', 'zero velocity', 'zero velocity']);
  });

  it('arm mode does not start on a robot that walks again by then', async () => {
    const { made, calls, move, later, mode, notice } = cockpit();
    made.toggleArms();
    // The robot accepted the stop, and its answer is in transit.
    await Promise.resolve();
    move(0.3);
    await later(30);
    expect(mode()).toBe('off');
    expect(calls.some(({ name }) => name === 'set_upper_body')).toBe(false);
    expect(notice()).toContain('it is being driven');
  });

  it('arm mode moves no legs: keys held during it count again only after their release', async () => {
    const { made, calls, later } = cockpit();
    made.toggleArms();
    await later(100);
    made.hold('gamepad', FORWARD);
    await later(100);
    made.toggleArms();
    await later(1_000);
    expect(story(calls)).toEqual(['stop', 'pose', 'zero velocity']);
    made.hold('gamepad', REST);
    made.hold('gamepad', FORWARD);
    await later(50);
    expect(story(calls).at(-1)).toBe('velocity');
  });
});

describe('leaving arm mode', () => {
  it('leaving arm mode sends the standing pose, then a velocity command', async () => {
    const { made, calls, later, mode, arms } = cockpit();
    made.toggleArms();
    await later(100);
    made.choosePreset('Reach');
    await later(1_500);
    expect(arms().r_arm[0]).toBe(-1.25);
    made.toggleArms();
    expect(mode()).toBe('leaving');
    await later(1_500);
    expect(mode()).toBe('off');
    expect(story(calls)).toEqual(['stop', 'pose', 'zero velocity']);
    expect(calls.at(-2)?.input).toEqual(STANDING);
    await later(2_000);
    expect(calls.at(-1)?.name).toBe('set_velocity');
    expect(made.view.getState().lettingGo).toBe(false);
  });

  it.each(['the window loses the focus', 'the tab is hidden', 'the gamepad is pulled out', 'the room is lost'])(
    'leaving arm mode starts at once and in the same order when %s',
    async (why) => {
      const { made, calls, later, mode, notice } = cockpit();
      made.toggleArms();
      await later(100);
      made.choosePreset('Wave');
      await later(500);
      made.halt(`Test: ${why}.`);
      expect(mode()).toBe('off');
      expect(calls.slice(-2)).toMatchObject([
        { name: 'set_upper_body', input: STANDING },
        { name: 'set_velocity', input: { vx: 0, vy: 0, vyaw: 0 } },
      ]);
      await later(500);
      expect(story(calls)).toEqual(['stop', 'pose', 'zero velocity']);
      expect(notice()).toContain(why);
    },
  );

  it('leaving arm mode continues until the robot has confirmed it, although the cockpit is closed', async () => {
    const { made, calls, later, report, ended } = cockpit();
    made.toggleArms();
    await later(100);
    made.dispose();
    expect(ended()).toBe(false);
    await later(90);
    report();
    await later(20);
    expect(ended()).toBe(true);
    expect(story(calls)).toEqual(['stop', 'pose', 'zero velocity']);
  });
});

describe('a nudge and a preset reach the robot', () => {
  it('a nudge moves the chosen joint by 0.05 rad from the commanded pose', async () => {
    const { made, later, arms } = cockpit();
    made.toggleArms();
    await later(100);
    made.chooseArm('l_arm');
    made.cycleJoint(1);
    made.nudge(1);
    made.nudge(1);
    await later(100);
    expect(arms()).toEqual({ ...MEASURED, l_arm: [-0.4, -0.1, 0, 0.9, 0.02] });
  });

  it('after a pause of the page the stream continues from where the arms hang', async () => {
    const { made, calls, later, pause, sag, notice } = cockpit();
    const HANGING = { r_arm: [0.1, 0.05, 0, -0.3, 0], l_arm: [-0.1, -0.05, 0, 0.3, 0] };
    made.toggleArms();
    await later(100);
    made.choosePreset('Reach');
    await later(100);
    const before = calls.length;
    sag(HANGING);
    await pause(400);
    expect(notice()).toContain('went limp');
    await later(100);
    const [first] = calls.slice(before);
    expect(first?.input).toEqual(HANGING);
  });

  it('arms that the robot released for lack of poses are caught where they hang, and the connection is named as the reason', async () => {
    const { made, calls, later, pause, sag, report, notice } = cockpit();
    const HANGING = { r_arm: [0.1, 0.05, 0, -0.3, 0], l_arm: [-0.1, -0.05, 0, 0.3, 0] };
    made.toggleArms();
    await later(100);
    made.choosePreset('Reach');
    await later(100);
    const before = calls.length;
    sag(HANGING);
    report({ upper_body: { mode: 'damp', timeouts: 1, measured: HANGING } });
    await pause(20);
    expect(notice()).toContain('No pose reached the robot for more than 200 ms');
    await later(100);
    expect(calls[before]?.input).toEqual(HANGING);
  });

  it('a connection that answers nothing gets few poses, and is named as the reason', async () => {
    const { made, calls, later, silence, notice } = cockpit();
    made.toggleArms();
    await later(300);
    silence();
    const before = calls.length;
    await later(1_500);
    expect(calls.length - before).toBeLessThan(30);
    expect(notice()).toContain('No pose reached the robot');
  });
});
