import { beforeEach, describe, expect, it } from 'vitest';
import type { Robot } from '../../src/protocol/service/control-service.ts';
import type { RuntimeSummary, SessionState } from '../../src/protocol/service/session-state.ts';
import { openAccount } from '../../src/viewer/robots/account.ts';
import { exchangeCode, takeOpenCode } from '../../src/viewer/robots/open-code.ts';
import { agoText, driverText, foundRobots, lastActionText, robotStatus, roomText } from '../../src/viewer/robots/robot-texts.ts';
import { LIVELY_EVERY_MS, POLL_EVERY_MS, ROBOTS_EVERY_MS, RobotsStore } from '../../src/viewer/robots/robots-store.ts';
import { roomLink } from '../../src/viewer/robots/room-link.ts';
import { drivenText, stoppedText } from '../../src/viewer/robots/use-owner-hands.ts';
import { ROBOT } from '../client/helpers/fake-fetch.ts';

const KEY = 'sk_live_of-this-test-alone';
const START_MS = Date.UTC(2030, 0, 1);
const robot = (id: string, name = id): Robot => ({ id, name, model: 'simplesim-humanoid-1', type: 'virtual' });
/** A runtime that does nothing, as the service summarises it. */
const READY: RuntimeSummary = {
  status: 'ready',
  robot_status: 'ready',
  is_stopped: false,
  active_action: null,
  last_action: null,
  driver: null,
  scene_id: null,
  place: null,
  held_entity_ids: [],
};
const session = (robotId: string, more: Partial<SessionState> = {}): SessionState => ({
  robot_id: robotId,
  phase: 'open',
  opened_at: '2030-01-01T00:00:00.000Z',
  participants: [],
  participant_count: 0,
  runtime: null,
  ...more,
});

/** A service and a page with its model; the test advances the time. */
class World {
  nowMs = 0;
  isHidden = false;
  robots: Robot[] = [];
  sessions: SessionState[] = [];
  /** The answer in place of the lists. */
  answer: (() => Response | Promise<Response>) | null = null;
  readonly asked: string[] = [];
  readonly keys = new Set<string | null>();
  private timers: { id: number; atMs: number; run: () => void }[] = [];
  private lastId = 0;

  readonly store = new RobotsStore({
    openAccount: (apiKey) => openAccount(apiKey, 'http://here/rcs', (input, init) => this.#serve(new URL(String(input)), init)),
    nowMs: () => this.nowMs,
    wallMs: () => START_MS + this.nowMs,
    setTimer: (run, afterMs) => {
      this.lastId += 1;
      this.timers.push({ id: this.lastId, atMs: this.nowMs + afterMs, run });
      return this.lastId;
    },
    clearTimer: (id) => {
      this.timers = this.timers.filter((timer) => timer.id !== id);
    },
    isHidden: () => this.isHidden,
  });

  async #serve(url: URL, init: RequestInit | undefined): Promise<Response> {
    this.asked.push(`${init?.method} ${url.pathname}`);
    this.keys.add(new Headers(init?.headers).get('authorization'));
    if (this.answer) return this.answer();
    const isRobots = url.pathname === '/rcs/v1/robots';
    const all: { id?: string; robot_id?: string }[] = isRobots ? this.robots : this.sessions;
    const idOf = (one: (typeof all)[number]) => one.id ?? one.robot_id ?? '';
    const after = url.searchParams.get('after_id') ?? '';
    const rest = all.filter((one) => idOf(one) > after);
    const found = rest.slice(0, 100);
    const entries = isRobots ? { robots: found.map((one) => ({ ...ROBOT, ...one })) } : { sessions: found };
    const nextId = rest.length > 100 ? idOf(found.at(-1) ?? {}) : null;
    return Response.json({ ...entries, next_id: nextId, total: all.length });
  }

  get waiting(): number {
    return this.timers.length;
  }

  async settle(): Promise<void> {
    for (let turn = 0; turn < 200; turn += 1) await Promise.resolve();
    await new Promise((resolve) => setImmediate(resolve));
  }

  async pass(ms: number): Promise<void> {
    const endMs = this.nowMs + ms;
    for (;;) {
      const next = this.timers.filter(({ atMs }) => atMs <= endMs).sort((a, b) => a.atMs - b.atMs)[0];
      if (!next) break;
      this.timers = this.timers.filter((timer) => timer !== next);
      this.nowMs = next.atMs;
      next.run();
      await this.settle();
    }
    this.nowMs = endMs;
    await this.settle();
  }
}

const refusal = (status: number, body: object, headers: Record<string, string> = {}) => Response.json(body, { status, headers });

describe('the model of the robots’ page', () => {
  let world: World;
  beforeEach(() => {
    world = new World();
    world.robots = [robot('a'), robot('b')];
    world.sessions = [session('a')];
  });
  const open = async () => {
    world.store.take(KEY);
    await world.settle();
  };

  it('a key is accepted, reads the robots and their sessions, and is not shown', async () => {
    world.store.take(`  ${KEY}\n`);
    expect(world.store.read().access).toBe('checking');
    await world.settle();
    const state = world.store.read();
    expect([state.access, state.robots?.length, state.sessions?.get('a')?.phase]).toEqual(['open', 2, 'open']);
    expect([...world.keys]).toEqual([`Bearer ${KEY}`]);
    expect(JSON.stringify([world.store, state])).not.toContain(KEY);
  });

  it.each([
    ['', 'This is empty'],
    ['two words', 'not an API key'],
    ['schlüssel', 'not an API key'],
    ['k\u0000', 'not an API key'],
  ])('sends no request for the invalid key %j', async (text, sentence) => {
    world.store.take(text);
    await world.settle();
    expect(world.asked).toEqual([]);
    expect(world.store.read()).toMatchObject({ access: 'none', accessNotice: { isProblem: true } });
    expect(world.store.read().accessNotice?.text).toContain(sentence);
  });

  it('reports why a key is rejected, and forgets the key', async () => {
    world.answer = () =>
      refusal(401, { code: 'http.401', message: 'unauthorized', details: { hint: 'This API key was revoked.' } });
    await open();
    expect(world.store.read()).toMatchObject({ access: 'none', accessNotice: { text: 'This API key was revoked.' } });
    expect([world.store.account, world.waiting]).toEqual([null, 0]);
  });

  it('forgets a key that is revoked while the page is open, with all data read with it', async () => {
    await open();
    world.answer = () => refusal(401, { code: 'http.401', message: 'unauthorized', details: {} });
    await world.pass(POLL_EVERY_MS);
    expect(world.store.read()).toMatchObject({ access: 'none', robots: null, sessions: null });
  });

  it('requests one list every five seconds and the names twice a minute, however many robots there are', async () => {
    world.robots = Array.from({ length: 200 }, (_, i) => robot(String(i).padStart(4, '0')));
    world.sessions = world.robots.slice(0, 100).map(({ id }) => session(id));
    await open();
    expect(world.store.read().robots).toHaveLength(200);
    world.asked.length = 0;
    await world.pass(60_000);
    const count = (path: string) => world.asked.filter((line) => line === `GET /rcs${path}`).length;
    expect([count('/v1/sessions'), count('/v1/robots')]).toEqual([60_000 / POLL_EVERY_MS, 2 * (60_000 / ROBOTS_EVERY_MS)]);
  });

  it.each([
    ['works', { status: 'busy' }, 30, LIVELY_EVERY_MS],
    ['moves', { robot_status: 'moving' }, 1, LIVELY_EVERY_MS],
    ['stands', { status: 'ready' }, 1, POLL_EVERY_MS],
    ['works among many', { status: 'busy' }, 31, POLL_EVERY_MS],
  ])('a robot that %s is polled at this interval', async (_, state, count, everyMs) => {
    world.robots = Array.from({ length: count }, (_one, i) => robot(`r${i}`));
    const runtime = { identity: 'simplesim:r0', name: '', is_agent: false, joined_at: '2030-01-01T00:00:00.000Z' };
    world.sessions = world.robots.map(({ id }) =>
      session(id, { runtime: { ...runtime, state: { ...READY, ...(state as Partial<RuntimeSummary>) } } }),
    );
    await open();
    world.asked.length = 0;
    await world.pass(20_000);
    expect(world.asked.filter((line) => line === 'GET /rcs/v1/sessions')).toHaveLength(20_000 / everyMs);
  });

  it('keeps the last places while the media server or the service is away, and forgets them with the key', async () => {
    const place = { x_m: 1, y_m: 2, yaw_deg: 0, age_ms: 400 };
    const runtime = { identity: 'simplesim:a', name: '', is_agent: false, joined_at: '2030-01-01T00:00:00.000Z' };
    const state = { ...READY, scene_id: 'hall', place };
    world.sessions = [session('a', { runtime: { ...runtime, state } })];
    await open();
    const seen = world.store.read().places.get('a');
    expect(seen).toMatchObject({ sceneId: 'hall', place, sinceMs: -400 });
    world.answer = () => refusal(503, { code: 'sfu.unavailable', message: 'away', details: {} });
    await world.pass(POLL_EVERY_MS);
    expect([world.store.read().sessions, world.store.read().places.get('a')]).toEqual([null, seen]);
    world.store.forget();
    expect(world.store.read().places.size).toBe(0);
  });

  it('requests nothing while the page is hidden, and requests at once when it is shown', async () => {
    await open();
    world.isHidden = true;
    world.asked.length = 0;
    await world.pass(3_600_000);
    expect(world.asked).toEqual([]);
    world.isHidden = false;
    world.store.look();
    await world.settle();
    expect(world.asked).toEqual(['GET /rcs/v1/robots', 'GET /rcs/v1/sessions']);
    await world.pass(POLL_EVERY_MS);
    expect(world.asked).toHaveLength(3);
  });

  it('requests less often the longer the service is away, keeps its data, and recovers', async () => {
    await open();
    world.answer = () => Promise.reject(new TypeError('fetch failed'));
    world.asked.length = 0;
    await world.pass(10 * 60_000);
    expect(world.asked.length).toBeLessThan(20);
    expect(world.store.read()).toMatchObject({ access: 'open', problem: { kind: 'away' } });
    expect([world.store.read().robots?.length, world.store.read().sessions]).toEqual([2, null]);
    world.answer = null;
    await world.pass(60_000);
    expect(world.store.read()).toMatchObject({ problem: null });
    expect(world.store.read().sessions?.size).toBe(1);
  });

  it('waits for the time that the service names', async () => {
    await open();
    world.answer = () => refusal(429, { code: 'account.limit_reached', message: 'Wait.', details: {} }, { 'Retry-After': '90' });
    await world.pass(POLL_EVERY_MS);
    expect(world.store.read().problem).toMatchObject({ kind: 'limited', text: 'Wait.' });
    world.asked.length = 0;
    await world.pass(89_000);
    expect(world.asked).toEqual([]);
  });

  it.each([
    ['a page for people', () => new Response('<html>')],
    ['another service', () => Response.json({ hello: 1 })],
    ['a malformed list', () => Response.json({ robots: 'x', next_id: null, total: 1 })],
  ])('does not mistake %s for an empty list of robots', async (_, answer) => {
    world.answer = answer;
    await open();
    expect(world.store.read()).toMatchObject({ access: 'checking', robots: null, problem: { kind: 'away' } });
  });

  it('does not show answers to a forgotten key under the next key', async () => {
    let release = (_: Response) => {};
    world.answer = () =>
      new Promise<Response>((resolve) => {
        release = resolve;
      });
    await open();
    world.store.forget();
    world.answer = null;
    world.robots = [robot('z')];
    world.store.take('sk_live_another');
    release(Response.json({ robots: [{ ...ROBOT, id: 'a' }], next_id: null, total: 1 }));
    await world.settle();
    expect(world.store.read().robots?.map(({ id }) => id)).toEqual(['z']);
    expect(world.waiting).toBe(1);
  });

  it('combines a hundred requests for a refresh into two', async () => {
    await open();
    world.asked.length = 0;
    for (let i = 0; i < 100; i += 1) world.store.look();
    await world.settle();
    expect(world.asked).toEqual(['GET /rcs/v1/sessions', 'GET /rcs/v1/sessions']);
    expect(world.waiting).toBe(1);
  });

  it('aborts a list that never ends', async () => {
    world.answer = () => Response.json({ robots: [{ ...ROBOT, id: 'a' }], next_id: 'a', total: 1 });
    world.store.take(KEY);
    for (let i = 0; i < 40; i += 1) await world.settle();
    expect(world.asked.length).toBeLessThan(3_000);
    expect(world.store.read().access).toBe('open');
  });
});

describe('the one-time code', () => {
  const pageAt = (href: string) => {
    const location = { href };
    const replaceState = (_state: unknown, _title: string, url: string) => {
      location.href = url;
    };
    return { location, history: { state: { kept: 1 }, replaceState } };
  };

  it.each([
    ['http://h/robots#open=abc_-1', 'abc_-1', 'http://h/robots'],
    ['http://h/robots?x=1#open=abc', 'abc', 'http://h/robots?x=1'],
    ['http://h/robots', null, 'http://h/robots'],
    ['http://h/robots#open=', null, 'http://h/robots'],
    ['http://h/robots#open=a b', null, 'http://h/robots'],
    ['http://h/robots#sk_live_pasted_by_mistake', null, 'http://h/robots'],
  ])('the one-time code is taken out of the address %s', (href, code, left) => {
    const page = pageAt(href);
    expect(takeOpenCode(page as Parameters<typeof takeOpenCode>[0])).toBe(code);
    expect(page.location.href).toBe(left);
  });

  it.each([
    ['a key', () => Response.json({ api_key: KEY }), KEY],
    ['no key', () => Response.json({ api_key: null }), null],
    ['a refusal', () => Response.json({ api_key: KEY }, { status: 404 }), null],
    ['a page for people', () => new Response('<html>'), null],
    ['nothing', () => Promise.reject(new TypeError('fetch failed')), null],
  ])('the exchange of the one-time code handles %s as its answer', async (_, answer, key) => {
    expect(await exchangeCode('code', async () => answer())).toBe(key);
  });
});

describe('the words of the robots’ page', () => {
  const runtime = { identity: 'simplesim:a', name: 'Ada', is_agent: false, joined_at: '2030-01-01T00:00:00.000Z' };
  const live = (state: object | null, more: object = {}) =>
    session('a', { runtime: { ...runtime, ...more, state: state === null ? null : { ...READY, ...state } } });

  it.each([
    [undefined, 'Not known'],
    [null, 'Not open'],
    [session('a', { phase: 'none' }), 'Not open'],
    [session('a', { phase: 'opening' }), 'Opening'],
    [session('a', { phase: 'closing' }), 'Closing'],
    [session('a'), 'No robot there'],
    [live(null), 'Loading'],
    [live({}), 'Ready'],
    [live({ robot_status: 'moving' }), 'Moving'],
    [live({ status: 'busy', active_action: { name: 'go_to', phase: 'walking', started_at_ms: 1 } }), 'Working'],
    [live({ status: 'error' }), 'Failed'],
    [live({ robot_status: 'fallen' }), 'Fallen'],
    // The stop comes before everything else.
    [live({ status: 'error', is_stopped: true }), 'Emergency stop'],
  ])('describes the status of a robot, case %#: %s', (given, word) => {
    const status = robotStatus(given);
    expect(status.word).toBe(word);
    expect(status.detail).toMatch(/\S/);
  });

  it('describes the last action and its time', () => {
    const last = { name: 'pick_entity', status: 'failed', finished_at_ms: 1_000 };
    expect(lastActionText(live({ last_action: last }), 181_000)).toBe('pick_entity failed, 3 min ago');
    // The clock of the robot’s machine is ahead.
    expect(lastActionText(live({ last_action: last }), 0)).toBe('pick_entity failed, just now');
    expect([lastActionText(live({}), 0), lastActionText(null, 0), lastActionText(undefined, 0)]).toEqual([null, null, null]);
  });

  it('describes who drives and who is in the room', () => {
    const driver = { identity: null, name: 'Ann', kind: 'person', since_ms: 1 };
    expect(driverText(live({ driver }))).toBe('Ann (a person)');
    expect([driverText(live({})), roomText(null)]).toEqual([null, null]);
    const others = Array.from({ length: 5 }, (_, i) => ({ ...runtime, identity: `p${i}`, name: i === 0 ? 'tour.py' : '' }));
    const crowd = { ...live({}), participants: [runtime, ...others], participant_count: 30 };
    expect(roomText(crowd)).toBe('its page, tour.py, p1, p2, 26 more');
    expect(roomText({ ...live({}, { is_agent: true }), participants: [runtime], participant_count: 1 })).toBe('its worker');
  });

  it.each([
    [0, 'just now'],
    [-5e9, 'just now'],
    [59_999, '59 s ago'],
    [60_000, '1 min ago'],
    [3_600_000, '1 h ago'],
    [172_800_000, '2 days ago'],
  ])('describes a span of %d ms', (ms, sentence) => expect(agoText(ms)).toBe(sentence));

  it('finds robots by every word, in name, model and id, and by whether their room has participants', () => {
    const robots = [robot('r1', 'Ada North'), robot('r2', 'Bea South'), { ...robot('r3', 'Cy'), model: 'simplesim-picker-1' }];
    const sessions = new Map([
      ['r2', session('r2', { participant_count: 1 })],
      ['r3', session('r3', { participant_count: 0 })],
    ]);
    const find = (search: string, filter: 'all' | 'occupied' | 'empty' = 'all', known: typeof sessions | null = sessions) =>
      foundRobots(robots, known, search, filter).map(({ id }) => id);
    expect(find('')).toEqual(['r1', 'r2', 'r3']);
    expect(find('  NORTH ada ')).toEqual(['r1']);
    expect(find('picker')).toEqual(['r3']);
    expect(find('r2')).toEqual(['r2']);
    expect(find('.*')).toEqual([]);
    expect([find('', 'occupied'), find('', 'empty')]).toEqual([['r2'], ['r1', 'r3']]);
    // While this is unknown, no robot is hidden.
    expect(find('', 'occupied', null)).toHaveLength(3);
  });

  it('a link opens the robot that the model names, and hides the key from servers', () => {
    expect(roomLink('http://h/sim/', 'simplesim-humanoid-1', 'k1~a~b')).toBe('http://h/sim/#key=k1~a~b');
    expect(roomLink('http://h/sim/', 'simplesim-picker-1', 'k1~a~b')).toBe('http://h/sim/?robot=picker#key=k1~a~b');
    expect(roomLink('http://h/sim/', 'another', 'k1~a~b')).toBe('http://h/sim/#key=k1~a~b');
  });
});

it('a press of the emergency stop is described by what is known, never by more', () => {
  const runtime = { identity: 'simplesim:ada', stands: true, after_ms: 90, problem: null };
  expect(stoppedText('Ada', { stands: true, runtimes: [runtime] })[0]).toBe('Ada stands');
  expect(stoppedText('Ada', { stands: null, runtimes: [] })).toEqual([
    'The emergency stop of Ada is latched',
    expect.stringContaining('The robot is offline.'),
  ]);
  const deaf = { ...runtime, stands: false, after_ms: null, problem: 'It did not answer.' };
  expect(stoppedText('Ada', { stands: false, runtimes: [runtime, deaf] })).toEqual([
    'Look at Ada: it does not report that it stands',
    expect.stringMatching(/may still move\. It did not answer\.$/),
  ]);
});

it('an order to remove the driver is described by the robot’s answer, also if another driver was faster', () => {
  expect(drivenText('Ada', { driver: null })[0]).toBe('No one drives Ada now');
  const driver = { identity: 'client:1', name: 'Sorter', kind: 'agent', since_ms: 5 } as const;
  expect(drivenText('Ada', { driver })[0]).toBe('Sorter has Ada again');
});
