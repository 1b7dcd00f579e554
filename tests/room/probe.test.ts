import { describe, expect, it } from 'vitest';
import { probeSfu } from '../../src/room/probe.ts';
import { KEY } from './fakes.ts';

const never = new AbortController().signal;
const answering = (status: number, text: string) => async (): Promise<Response> => new Response(text, { status });

describe('the probe of a key at the SFU', () => {
  it('the probe of a key sends the token in a header, never in the address', async () => {
    const asked: { url: string; headers: Headers }[] = [];
    const result = await probeSfu({ ...KEY, sfuUrl: 'wss://sfu.example/path/' }, never, async (input, init) => {
      asked.push({ url: String(input), headers: new Headers(init?.headers) });
      return new Response('success');
    });
    expect(result).toEqual({ kind: 'welcome' });
    expect(asked).toHaveLength(1);
    expect(asked[0]?.url).toBe('https://sfu.example/path/rtc/validate');
    expect(asked[0]?.headers.get('authorization')).toBe(`Bearer ${KEY.token}`);
  });

  it.each([
    [401, 'invalid token: x, error: error in cryptographic primitive', { kind: 'refused', reason: 'refused' }],
    [401, 'invalid token: x, error: validation failed, token is expired (exp)', { kind: 'refused', reason: 'key_expired' }],
    [403, 'permissions denied', { kind: 'refused', reason: 'refused' }],
    [404, 'requested room does not exist', { kind: 'refused', reason: 'session_deleted' }],
    [404, 'no such page', { kind: 'welcome' }],
    [503, 'starting', { kind: 'unreachable' }],
    [500, 'fault', { kind: 'welcome' }],
  ])('the probe of a key interprets the response %i %s', async (status, text, expected) => {
    expect(await probeSfu(KEY, never, answering(status, text))).toEqual(expected);
  });

  it('the probe reports a server as unreachable when nothing answers, not when only the reading is rejected', async () => {
    const dead = async (): Promise<Response> => Promise.reject(new TypeError('Failed to fetch'));
    expect(await probeSfu(KEY, never, dead)).toEqual({ kind: 'unreachable' });
    const opaque: typeof fetch = async (_input, init) => {
      if (init?.mode === 'no-cors') return new Response(null);
      throw new TypeError('Failed to fetch');
    };
    expect(await probeSfu(KEY, never, opaque)).toEqual({ kind: 'welcome' });
  });
});
