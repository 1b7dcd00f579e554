/** Who may show the page in a frame, and that the policy is the same wherever it stands. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { frameAncestors, policyText, readFrameAncestors } from '../../src/launch/page-policy.ts';

describe('who may frame the page', () => {
  it.each([
    [undefined, "'self'"],
    ['', "'self'"],
    ['none', "'none'"],
    ['*', '*'],
    ['https://a.example, https://*.b.example:8443', "'self' https://a.example https://*.b.example:8443"],
    ['self http://127.0.0.1:8090', "'self' http://127.0.0.1:8090"],
  ])('%s', (given, says) => {
    expect(readFrameAncestors({ SIMPLESIM_FRAME_ANCESTORS: given })).toBe(says);
  });

  it.each([
    'a.example',
    'https://a.example/path',
    "'self'; script-src *",
    'https://a.example *',
    'none https://a.example',
  ])('refuses %s with what to set', (given) => {
    expect(() => readFrameAncestors({ SIMPLESIM_FRAME_ANCESTORS: given })).toThrow(/Set it to origins/);
  });

  it('is anybody only where no key can be', () => {
    expect(frameAncestors({ embed: '1', try: '1' }, "'self'")).toBe('*');
    for (const query of [{}, { embed: '1' }, { try: '1' }, { embed: '1', try: '0' }])
      expect(frameAncestors(query, "'self'")).toBe("'self'");
  });
});

it('the proxy of a fleet says what our own server says', () => {
  const caddyfile = readFileSync(join(import.meta.dirname, '../../deploy/Caddyfile'), 'utf8');
  expect(caddyfile).toContain(policyText(null));
});
