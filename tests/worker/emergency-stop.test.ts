/** The emergency stop of a robot without a page: it outlives its process, its session and its world. */
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
        tell: () => undefined,
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
    ['goes on from its world', PLACE],
    ['belongs to another session', { ...PLACE, room: 'another' }],
  ])('stops a process of the same robot that %s, with who pressed and why', async (_which, place) => {
    const first = await startBody();
    await first.drive();
    expect(await first.ask('runtime.emergency_stop', { reason: 'smoke' })).toMatchObject({
      status: 'done',
      result: { stands: true },
    });
    // As a kill ends it: nothing is written any more.
    await first.end();
    const second = await startBody(place);
    expect((await second.state()).robot.extra.emergency_stop).toMatchObject({ by: 'client', reason: 'smoke' });
    expect((await second.drive()).error).toMatchObject({ code: 'NOT_READY', details: { latched_by: 'client' } });
    expect((await second.state()).robot.extra.control.upper_body.mode).toBe('damp');
    await second.end();
  });

  it('is kept when the session is over and its world forgotten', async () => {
    const first = await startBody();
    await first.ask('runtime.emergency_stop', {});
    await first.body.forget();
    await first.end();
    expect((await readdir(folder)).map((name) => name.replace(/^\w+/, ''))).toEqual(['.stop']);
  });

  it.each(['', '{', '{}', 'null', '{"robotId":"robot","latched":null}'])('that holds %j stops the robot', async (text) => {
    const first = await startBody();
    await first.ask('runtime.emergency_stop', {});
    await first.end();
    const [name = ''] = (await readdir(folder)).filter((one) => one.endsWith('.stop'));
    await writeFile(join(folder, name), text);
    expect(openStopFile(folder, 'robot').read()?.latched).toMatchObject({ by: { kind: 'robot' } });
  });

  it('is another robot’s for another robot', async () => {
    const first = await startBody();
    await first.ask('runtime.emergency_stop', {});
    await first.end();
    const other = await startBody({ ...PLACE, robotId: 'other' });
    expect((await other.drive()).status).toBe('done');
    await other.end();
  });
});

describe('who pressed', () => {
  it('is named to everybody as the room names them, also after a restart', async () => {
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

  it('is one line of the log for one press, which the service reports twice', async () => {
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
  it('that comes while the body loads stops it before its first command', async () => {
    const { state, drive, end } = await startBody(PLACE, true);
    expect((await state()).robot.extra.emergency_stop).toMatchObject({ by: PRESS.by, reason: 'gas' });
    expect((await drive()).error.code).toBe('NOT_READY');
    await end();
  });
});

/** A terminal at which these answers are typed. */
function terminalThat(answers: string[], isThere = true): Terminal & { said: string[] } {
  const said: string[] = [];
  return { isThere, said, say: (line) => void said.push(line), ask: async () => answers.shift() ?? '' };
}

describe('a person at the machine', () => {
  it('releases the robots by saying so twice; the world goes on, and the press of before latches no more', async () => {
    const first = await startBody(PLACE, true);
    await first.body.keep();
    await first.end();
    const terminal = terminalThat(['release', 'Nobody is in reach ']);
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
    // The record is read at the start of a robot: one that runs keeps what it has.
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

  it('is told who pressed, for which robot, when and why, by the names that people know', async () => {
    const robot = await startBody();
    await robot.ask('runtime.emergency_stop', { reason: 'smoke' });
    await robot.end();
    const terminal = terminalThat([]);
    await expect(releaseStops(folder, terminal, 5)).rejects.toThrow('Nothing was released');
    expect(terminal.said.join('\n')).toMatch(/Bolt \(robot\), pressed by Ada \(client\), \d{4}-\d\d-\d\dT[\d:.]+Z: smoke/);
  });

  it.each([
    ['says so once', ['release', 'yes']],
    ['says something else', ['y']],
    ['presses return', ['']],
  ])('who %s releases nothing', async (_what, answers) => {
    openStopFile(folder, 'robot').write({
      latched: { by: { kind: 'page' }, sinceMs: 1, reason: null },
      pressIds: [],
      release: null,
    });
    await expect(releaseStops(folder, terminalThat(answers), 5)).rejects.toThrow('Nothing was released');
    expect(stoppedRobots(folder)).toHaveLength(1);
  });

  it('is no program: without a terminal nothing is asked, and nothing released', async () => {
    openStopFile(folder, 'robot').write({
      latched: { by: { kind: 'page' }, sinceMs: 1, reason: null },
      pressIds: [],
      release: null,
    });
    await expect(releaseStops(folder, terminalThat(['release', 'nobody is in reach'], false), 5)).rejects.toThrow(
      'needs a terminal',
    );
    expect(JSON.parse(await readFile(join(folder, (await readdir(folder))[0] ?? ''), 'utf8')).latched).not.toBeNull();
  });

  it('releases a record that cannot be read too', async () => {
    openStopFile(folder, 'robot').write({ latched: null, pressIds: [], release: null });
    await writeFile(join(folder, (await readdir(folder))[0] ?? ''), 'rubbish');
    await releaseStops(folder, terminalThat(['release', 'nobody is in reach']), 5);
    expect(stoppedRobots(folder)).toEqual([]);
  });
});
