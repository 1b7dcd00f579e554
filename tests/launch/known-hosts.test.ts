import { describe, expect, it } from 'vitest';
import { isKnownHost, readAllowedHosts } from '../../src/launch/known-hosts.ts';

describe('the host names of a platform', () => {
  it.each([
    'localhost',
    'localhost:8080',
    'LOCALHOST:8080',
    'localhost.',
    'a.localhost:80',
    '127.0.0.1:8080',
    '192.168.1.7',
    '[::1]:8080',
    '[fe80::1]',
  ])('the host %s is known without a setting', (host) => expect(isKnownHost(host, [])).toBe(true));

  it.each([
    'evil.example',
    'evil.example:8080',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    '127.0.0.1.nip.io:8080',
    'localhost@evil.example',
    '[evil]',
    '::1',
    '',
    '0x7f000001',
  ])('the host %s is foreign', (host) => expect(isKnownHost(host, [])).toBe(false));

  it('a setting adds known hosts, singly or with all their subdomains', () => {
    const allowed = readAllowedHosts({ SIMPLESIM_ALLOWED_HOSTS: 'Robots.example.org, *.lab.example' });
    expect(allowed).toEqual(['robots.example.org', '*.lab.example']);
    expect(['robots.example.org:443', 'a.lab.example', 'a.b.lab.example'].map((host) => isKnownHost(host, allowed))).toEqual([
      true,
      true,
      true,
    ]);
    expect(['x.robots.example.org', 'lab.example', 'evillab.example'].map((host) => isKnownHost(host, allowed))).toEqual([
      false,
      false,
      false,
    ]);
  });

  it.each(['https://robots.example.org', 'robots.example.org:8080', '*', 'a..b', 'ro*bots.example'])(
    'the allowed hosts reject the setting %s',
    (value) => {
      expect(() => readAllowedHosts({ SIMPLESIM_ALLOWED_HOSTS: value })).toThrow(`SIMPLESIM_ALLOWED_HOSTS holds "${value}"`);
    },
  );
});
