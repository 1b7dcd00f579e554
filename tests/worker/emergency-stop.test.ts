/** The emergency stop of a robot without a page outlives the robot's process, session and world. */
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { releaseStops, type Terminal } from '../../src/launch/release-stops.ts';
import type { LogEntry } from '../../src/worker/log.ts';
import { createBody } from '../../src/worker/robot/body.ts';
import { openStopFile, stoppedRobots } from '../../src/worker/robot/stop-file.ts';
import { checkRpcReply } from '../client-models/check.ts';
import { waitUntil } from '../launch/helpers/processes.ts';

const PLACE = { sfuUrl: 'ws://nowhere', token: '', room: 'room', robotId: 'robot' };
const PRESS = { press_id: 'p-1', by: 'over HTTP', since_ms: 1, reason: 'gas' };

let folder = '';
beforeEach(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'simplesim-stops-')), 'worlds');
});
afterEach(() => rm(join(folder, '..'), { recursive: true, force: true }));

async function startBody(place = PLACE, pressedAtOnce = false) {
  const log: LogEntry[] = [];
  let calls = 0;
  const body = await new Promise<ReturnType<typeof createBody>>((resolve) => {
    const started = createBody(
      { place, seed: 5, productVersion: '1', signedOnly: false, worldsDir: folder },
      (entry) => {
        log.push(entry);
        if (entry.event === 'robot_ready') resolve(started);
      },
      {
        report: () => undefined,
        sendWorld: () => undefined,
        sendJpeg: async () => undefined,
        nameOf: (identity) => (identity === null ? 'Bolt' : identity === 'client' ? 'Ada' : null),
      },
    );
    if (pressedAtOnce) started.press(PRESS);
  });
  const ask = async (method: string, payload: object) => {
    calls += 1;
    const call = { requestId: `${calls}`, method, payload: JSON.stringify(payload), callerIdentity: 'client' };
    return checkRpcReply(method, await body.handle(call));
  };
  const state = () => ask('runtime.state', {});
  const drive = () => ask('runtime.tools_call', { name: 'set_velocity', input: { vx: 0.6 } });
  await waitUntil(async () => (await state()).timestamp.step > 0, 'the robot to step', 60_000);
  const end = async () => {
    body.dispose();
    await body.over;
  };
  return { body, log, ask, state, drive, end };
}

describe('the record of an emergency stop', () => {
  it.each([
    ['continues from its world', PLACE],
    ['belongs to another session', { ...PLACE, room: 'another' }],
  ])('a stored stop applies to a process of the same robot that %s, with person and reason', async (_which, place) => {
    const first = await startBody();
    await first.drive();
    expect(await first.ask('runtime.emergency_stop', { reason: 'smoke' })).toMatchObject({
      status: 'done',
      result: { stands: true },
    });
    // As after a kill: nothing more is written.
    await first.end();
    const second = await startBody(place);
    expect((await second.state()).robot.extra.emergency_stop).toMatchObject({ by: 'client', reason: 'smoke' });
    expect((await second.drive()).error).toMatchObject({ code: 'NOT_READY', details: { latched_by: 'client' } });
    expect((await second.state()).robot.extra.control.upper_body.mode).toBe('damp');
    await second.end();
  });

  it('a stored emergency stop is kept when the session is over and its world is deleted', async () => {
    const first = await startBody();
    await first.ask('runtime.emergency_stop', {});
    await first.body.forget();
    await first.end();
    expect((await readdir(folder)).map((name) => name.replace(/^\w+/, ''))).toEqual(['.stop']);
  });

  it.each(['', '{', '{}', 'null', '{"robotId":"robot","latched":null}'])('a record of %j stops the robot', async (text) => {
    const first = await startBody();
    await first.ask('runtime.emergency_stop', {});
    await first.end();
    const [name = ''] = (await readdir(folder)).filter((one) => one.endsWith('.stop'));
    await writeFile(join(folder, name), text);
    expect(openStopFile(folder, 'robot').read()?.latched).toMatchObject({ by: { kind: 'robot' } });
  });

  it('the record of another robot does not stop this robot', async () => {
    const first = await startBody();
    await first.ask('runtime.emergency_stop', {});
    await first.end();
    const other = await startBody({ ...PLACE, robotId: 'other' });
    expect((await other.drive()).status).toBe('done');
    await other.end();
  });
});

describe('who pressed', () => {
  it('the person who pressed has the name that the room shows to everyone, also after a restart', async () => {
    const first = await startBody();
    await first.ask('runtime.emergency_stop', { reason: 'smoke' });
    await first.end();
    const second = await startBody();
    expect((await second.state()).robot.extra.emergency_stop).toMatchObject({ by: 'client', by_name: 'Ada' });
    const { message, details } = (await second.drive()).error;
    expect(message).toContain('latched (by Ada: smoke)');
    expect(details).toMatchObject({ latched_by: 'client', latched_by_name: 'Ada' });
    await second.end();
    expect(first.log).toContainEqual(expect.objectContaining({ event: 'emergency_stop', caller: 'client', caller_name: 'Ada' }));
  });

  it('a press that the service reports twice is logged once', async () => {
    const { body, log, state, end } = await startBody();
    body.press({ ...PRESS, by: 'client' });
    body.press({ ...PRESS, by: 'client', press_id: 'p-2' });
    await waitUntil(async () => (await state()).robot.extra.emergency_stop !== null, 'the stop', 10_000);
    expect(log.filter(({ event }) => event === 'emergency_stop')).toEqual([
      expect.objectContaining({ caller: 'client', caller_kind: 'service', caller_name: 'Ada', reason: 'gas' }),
    ]);
    await end();
  });
});

describe('a press of the control service in the room’s metadata', () => {
  it('a press in the room’s metadata while the body loads stops the body before its first command', async () => {
    const { state, drive, end } = await startBody(PLACE, true);
    expect((await state()).robot.extra.emergency_stop).toMatchObject({ by: PRESS.by, reason: 'gas' });
    expect((await drive()).error.code).toBe('NOT_READY');
    await end();
  });
});

/** Creates a terminal at which these answers are typed. */
function terminalThat(answers: string[], isThere = true): Terminal & { said: string[] } {
  const said: string[] = [];
  return { isThere, said, say: (line) => void said.push(line), ask: async () => answers.shift() ?? '' };
}

describe('a person at the machine', () => {
  it('a person releases the robots with two confirmations; the world continues, and the old press does not latch again', async () => {
    const first = await startBody(PLACE, true);
    await first.body.keep();
    await first.end();
    const terminal = terminalThat(['release', 'No one is in reach ']);
    const lines: LogEntry[] = [];
    await releaseStops(folder, terminal, 5, (entry) => lines.push(entry));
    expect(lines).toEqual([
      expect.objectContaining({
        event: 'emergency_stop_released',
        robot_id: 'robot',
        robot: 'Bolt',
        pressed_by: 'over HTTP',
        place: 'worker_machine',
      }),
    ]);
    const said = terminal.said.join('\n');
    expect(said).toContain('Bolt (robot), pressed by over HTTP');
    // A robot reads the record when it starts; a running robot keeps what it has read.
    expect(said).toMatch(/runs now.* stays stopped: end it first/);
    expect(said).toContain('Released for their next start.');
    const second = await startBody(PLACE, true);
    expect(second.log).toContainEqual(expect.objectContaining({ event: 'world_restored' }));
    expect((await second.state()).robot.extra).toMatchObject({
      emergency_stop: null,
      emergency_release: { at_ms: 5, press_ids: ['p-1'], place: 'worker_machine' },
    });
    await waitUntil(async () => (await second.state()).runtime.accepts_tool_calls, 'the body to report', 10_000);
    expect((await second.drive()).status).toBe('done');
    await second.end();
  });

  it('a person sees who pressed, for which robot, when and why, by the names that people know', async () => {
    const robot = await startBody();
    await robot.ask('runtime.emergency_stop', { reason: 'smoke' });
    await robot.end();
    const terminal = terminalThat([]);
    await expect(releaseStops(folder, terminal, 5)).rejects.toThrow('Nothing was released');
    expect(terminal.said.join('\n')).toMatch(/Bolt \(robot\), pressed by Ada \(client\), \d{4}-\d\d-\d\dT[\d:.]+Z: smoke/);
  });

  it.each([
    ['confirms once', ['release', 'yes']],
    ['types something else', ['y']],
    ['presses return', ['']],
  ])('a person who %s releases nothing', async (_what, answers) => {
    openStopFile(folder, 'robot').write({
      latched: { by: { kind: 'page' }, sinceMs: 1, reason: null },
      pressIds: [],
      release: null,
    });
    await expect(releaseStops(folder, terminalThat(answers), 5)).rejects.toThrow('Nothing was released');
    expect(stoppedRobots(folder)).toHaveLength(1);
  });

  it('without a terminal, no question is asked and no robot is released', async () => {
    openStopFile(folder, 'robot').write({
      latched: { by: { kind: 'page' }, sinceMs: 1, reason: null },
      pressIds: [],
      release: null,
    });
    await expect(releaseStops(folder, terminalThat(['release', 'no one is in reach'], false), 5)).rejects.toThrow(
      'needs a terminal',
    );
    expect(JSON.parse(await readFile(join(folder, (await readdir(folder))[0] ?? ''), 'utf8')).latched).not.toBeNull();
  });

  it('a person can also release a record that cannot be read', async () => {
    openStopFile(folder, 'robot').write({ latched: null, pressIds: [], release: null });
    await writeFile(join(folder, (await readdir(folder))[0] ?? ''), 'rubbish');
    await releaseStops(folder, terminalThat(['release', 'no one is in reach']), 5);
    expect(stoppedRobots(folder)).toEqual([]);
  });
});
