import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { redirectToOneName } from '../../src/launch/one-host-name.ts';

const asked = (host: string, url = '/?try=1', more: Record<string, string> = { 'sec-fetch-dest': 'document' }, method = 'GET') =>
  ({ method, url, headers: { host, ...more } }) as unknown as IncomingMessage;

function answerTo(request: IncomingMessage): { status: number; headers: Record<string, string> } | null {
  const answer = redirectToOneName(request);
  if (!answer) return null;
  const reported = { status: 0, headers: {} as Record<string, string> };
  const response = {
    writeHead: (status: number, headers: Record<string, string>) => Object.assign(reported, { status, headers }),
    end: () => undefined,
  };
  answer(request, response as unknown as ServerResponse);
  return reported;
}

describe('a page that is opened under another name of this machine', () => {
  it.each([
    ['localhost:8080', 'http://127.0.0.1:8080/?try=1'],
    ['LOCALHOST:8080', 'http://127.0.0.1:8080/?try=1'],
    ['localhost', 'http://127.0.0.1/?try=1'],
    ['[::1]:9000', 'http://127.0.0.1:9000/?try=1'],
  ])('a page at %s is redirected to the name in links, with its query', (host, location) => {
    expect(answerTo(asked(host))).toEqual({ status: 307, headers: { Location: location, 'Cache-Control': 'no-store' } });
  });

  it('a page under another name of this machine is redirected nowhere else, whatever it requests', () => {
    for (const url of ['//evil.example/', '/\\evil.example', '/@evil.example']) {
      const { hostname } = new URL(answerTo(asked('localhost:8080', url))?.headers.Location ?? '');
      expect(hostname, url).toBe('127.0.0.1');
    }
    expect(answerTo(asked('localhost:8080', 'http://evil.example/'))).toBeNull();
  });
});

describe('an address without a redirect', () => {
  it.each([
    ['the name that links bear', asked('127.0.0.1:8080')],
    ['an address in the network', asked('192.168.1.7:8080')],
    ['a name of the settings', asked('robots.example.org')],
    ['a name that begins like this one', asked('localhost.evil.example:8080')],
    ['a frame', asked('localhost:8080', '/', { 'sec-fetch-dest': 'iframe' })],
    ['a file of the page', asked('localhost:8080', '/assets/index.js', { 'sec-fetch-dest': 'script' })],
    ['a program', asked('localhost:8080', '/', {})],
    ['a form', asked('localhost:8080', '/', { 'sec-fetch-dest': 'document' }, 'POST')],
    ['the service', asked('localhost:8080', '/rcs/v1/docs')],
  ])('%s is not redirected', (_, request) => expect(redirectToOneName(request)).toBeNull());
});
