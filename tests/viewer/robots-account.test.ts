import { describe, expect, it } from 'vitest';
import { attempt, isKeyForm, openAccount } from '../../src/viewer/robots/account.ts';
import { fakeFetch } from '../client/helpers/fake-fetch.ts';

const KEY = 'sk_live_of-this-test-alone';

/** The problem that the page shows for an answer. */
async function problemOf(...answers: Parameters<typeof fakeFetch>) {
  const { fetch, seen } = fakeFetch(...answers);
  const read = await attempt(openAccount(KEY, 'http://h/rcs', fetch).robots.list());
  expect(seen).toHaveLength(1);
  return read.ok ? null : read.problem;
}

describe('what the page of all robots reports of a failed request', () => {
  it.each([
    [401, { code: 'http.401', message: 'unauthorized', details: { hint: 'Revoked.' } }, 'key-refused', /^Revoked\.$/],
    [401, '<html>', 'key-refused', /does not take this API key/],
    [429, { code: 'account.limit_reached', message: 'Wait.', details: {} }, 'limited', /^Wait\.$/],
    [429, '', 'limited', /too many requests/],
    [503, { code: 'sfu.unavailable', message: 'The media server is away.', details: {} }, 'away', /^The media server/],
    [502, '<html>Bad gateway', 'away', /does not answer/],
    [404, { code: 'robot.not_found', message: 'No robot here has this id.', details: {} }, 'refused', /^No robot/],
    [413, '<html>', 'refused', /refused this \(413\)/],
    [302, '', 'away', /does not answer/],
    [200, '<html>', 'away', /not a control service/],
    [200, { hello: 1 }, 'away', /not a control service/],
  ])('an answer of status %i with %j is reported once, as %s', async (status, body, kind, text) => {
    expect(await problemOf({ status, body })).toEqual({ kind, text: expect.stringMatching(text), retryAfterMs: null });
  });

  it('reports the wait that the service asks for', async () => {
    expect(await problemOf({ status: 429, body: '', headers: { 'retry-after': '90' } })).toMatchObject({ retryAfterMs: 90_000 });
  });

  it('reports a service that cannot be reached, without the key', async () => {
    const problem = await problemOf(new TypeError(`fetch failed for ${KEY}`));
    expect(problem).toMatchObject({ kind: 'away', text: expect.stringContaining('does not answer') });
    expect(JSON.stringify(problem)).not.toContain(KEY);
  });

  it('reports an id that fits in no address without a request', async () => {
    const { fetch, seen } = fakeFetch({});
    const claimed = await attempt(openAccount(KEY, 'http://h/rcs', fetch).robots.claim('..', '123456'));
    expect(claimed).toMatchObject({ ok: false, problem: { kind: 'refused', text: expect.stringContaining('robot id') } });
    expect(seen).toEqual([]);
  });

  it('sends neither cookies nor cached answers', async () => {
    const inits: (RequestInit | undefined)[] = [];
    const account = openAccount(KEY, 'http://h/rcs', async (_, init) => {
      inits.push(init);
      return Response.json({ robots: [], next_id: null, total: 0 });
    });
    await account.robots.list();
    expect(inits).toMatchObject([{ credentials: 'omit', cache: 'no-store', redirect: 'manual' }]);
  });

  it.each([
    [KEY, true],
    [`"${KEY}"`, false],
    ['two words', false],
    ['x'.repeat(513), false],
  ])('whether %s has the form of a key: %s', (text, expected) => expect(isKeyForm(text)).toBe(expected));
});
