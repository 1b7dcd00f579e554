import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { readRoomKey } from '../../src/protocol/room/room-key.ts';
import { browserSecret, createHolderService } from '../../src/viewer/engine/ask-holder.ts';
import { itemsOf } from '../../src/viewer/engine/browser-storage.ts';
import { pageName } from '../../src/viewer/engine/page-name.ts';
import { KEY, keyFor, NOW_MS } from './engine-fixture.ts';

beforeAll(() => {
  vi.useFakeTimers({ now: NOW_MS, toFake: ['Date'] });
  vi.stubGlobal('location', { protocol: 'http:', href: 'http://robots.test/' });
});
afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

let visits = 0;
const OWN = {
  browserSecret: 'secret-of-this-browser',
  page: 'Chrome on Linux',
  newVisit: () => `visit-${++visits}-of-this-page`,
};
const read = (text: string) => {
  const result = readRoomKey(text, { nowMs: NOW_MS, pageProtocol: 'http:' });
  if (!result.ok) throw new Error(result.message);
  return result.key;
};
const key = read(KEY);
const tokenOf = (robot: string): string => read(keyFor(robot, { name: 'Robot with marks' })).token;

/** The page's connection to a platform that gives this answer. */
function asked(answer: unknown, status = 200) {
  visits = 0;
  const sent: { url: string; body: unknown; keepalive: boolean }[] = [];
  const holders = createHolderService(OWN, async (url, init) => {
    sent.push({ url: String(url), body: JSON.parse(String(init?.body)), keepalive: init?.keepalive === true });
    if (answer instanceof Error) throw answer;
    return new Response(typeof answer === 'string' ? answer : JSON.stringify(answer), { status });
  });
  return { seats: holders, ask: holders.ask, sent };
}

it('asks the server of the page with the token, and returns the holder of the robot and the key with the markers', async () => {
  const holder = { page: null, is_worker: true, for_ms: 5, silent_ms: 0, is_dead: false };
  const { ask, sent } = asked({ seat: { holder, token: tokenOf('r1') } });
  const holderAnswer = await ask(key);
  const browser = expect.stringMatching(/^[0-9a-f]{32}$/);
  const body = { token: key.token, browser, page: OWN.page, visit: 'visit-1-of-this-page', waits: false };
  expect(sent).toEqual([{ url: '/seat', body, keepalive: false }]);
  expect(holderAnswer).toMatchObject({ holder, key: { room: key.room, sfuUrl: key.sfuUrl, token: tokenOf('r1') } });
});

it('reports its departure and its worker under the ids of its question, with a request that outlives the page', async () => {
  const { seats: holders, sent } = asked({ seat: { holder: null, token: tokenOf('r1') } });
  holders.reportLeft(key);
  expect([sent, holders.busyReport(key)]).toEqual([[], null]);
  await holders.ask(key);
  holders.reportLeft(key);
  const [question, report] = sent;
  const browser = expect.stringMatching(/^[0-9a-f]{32}$/);
  expect(question?.body).toMatchObject({ browser });
  const ids = { token: key.token, browser, page: OWN.page, visit: 'visit-1-of-this-page' };
  expect(report).toEqual({ url: '/seat', body: { ...ids, report: 'left' }, keepalive: true });
  expect(JSON.parse(holders.busyReport(key) ?? '')).toEqual({ ...ids, report: 'busy' });
});

it('counts as another visit after it reported its departure, so that a late report does not affect the new visit', async () => {
  const { seats: holders, sent } = asked({ seat: { holder: null, token: tokenOf('r1') } });
  await holders.ask(key);
  await holders.ask(key);
  holders.reportLeft(key);
  await holders.ask(key);
  const said = sent.map(({ body }) => (body as { visit: string }).visit);
  expect(said).toEqual([1, 1, 1, 2].map((number) => `visit-${number}-of-this-page`));
});

it('has a different id in each room, and never shows its secret', async () => {
  const { ask, sent } = asked({ seat: null });
  await ask(key);
  await ask(key);
  await ask(read(keyFor('r2')));
  const [here, again, next] = sent.map(({ body }) => (body as { browser: string }).browser);
  expect(again).toBe(here);
  expect(next).not.toBe(here);
  expect(JSON.stringify(sent)).not.toContain(OWN.browserSecret);
});

it.each([
  ['answers without this key', { seat: null }, 200],
  ['has no such answer', '<!doctype html>', 404],
  ['fails', { code: 'http.internal' }, 500],
  ['answers with a key of another robot', { seat: { holder: null, token: tokenOf('r2') } }, 200],
  ['answers with no token', { seat: { holder: null, token: 'x' } }, 200],
  ['cannot be reached', new Error('offline'), 200],
] as const)('treats a server that %s as a server without an answer', async (_what, answer, status) => {
  expect(await asked(answer, status).ask(key)).toBeNull();
});

it('shares one secret between the pages of a browser, and gives each page its own if nothing can be stored', () => {
  const kept = new Map<string, string>();
  const items = itemsOf(() => ({
    getItem: (name) => kept.get(name) ?? null,
    setItem: (name, value) => void kept.set(name, value),
    removeItem: (name) => void kept.delete(name),
  }));
  const open = (id: string) => browserSecret(items, () => id);
  expect([open('first'), open('second')]).toEqual(['first', 'first']);
  const forbidden = itemsOf(() => {
    throw new Error('SecurityError');
  });
  expect(browserSecret(forbidden, () => 'mine')).toBe('mine');
});

it.each([
  ['Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0 Safari/537.36', 0, 'Chrome on Linux'],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0 Safari/537.36 Edg/143.0.0.0',
    0,
    'Edge on Windows',
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15',
    0,
    'Safari on a Mac',
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15',
    5,
    'Safari on an iPad',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/143.0 Mobile/15E148 Safari/604.1',
    5,
    'Chrome on an iPhone',
  ],
  ['Mozilla/5.0 (Android 15; Mobile; rv:145.0) Gecko/145.0 Firefox/145.0', 5, 'Firefox on Android'],
  [
    'Mozilla/5.0 (X11; CrOS x86_64 16000.0.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0 Safari/537.36',
    0,
    'Chrome on ChromeOS',
  ],
  ['curl/8.0', 0, 'A browser on another system'],
])('what %s is called', (userAgent, maxTouchPoints, name) => {
  expect(pageName({ userAgent, maxTouchPoints })).toBe(name);
});
