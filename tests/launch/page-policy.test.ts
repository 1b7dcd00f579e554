/** The policy names the sites that may show the page in a frame, and is the same wherever it is set. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  frameAncestors,
  frameAncestorsAt,
  KEYLESS_QUERY,
  PERMISSIONS_POLICY,
  policyText,
  readFrameAncestors,
} from '../../src/launch/page-policy.ts';
import { readEmbedSettings } from '../../src/viewer/embed/settings.ts';

describe('the sites that may frame the page', () => {
  it.each([
    [undefined, "'self'"],
    ['', "'self'"],
    ['none', "'none'"],
    ['*', '*'],
    ['https://a.example, https://*.b.example:8443', "'self' https://a.example https://*.b.example:8443"],
    ['self http://127.0.0.1:8090', "'self' http://127.0.0.1:8090"],
  ])('the sites that may frame the page are read from the setting %s', (given, says) => {
    expect(readFrameAncestors({ SIMPLESIM_FRAME_ANCESTORS: given })).toBe(says);
  });

  it.each(['a.example', 'https://a.example/path', "'self'; script-src *", 'https://a.example *', 'none https://a.example'])(
    'the setting %s for the framing sites is rejected with a correct form',
    (given) => {
      expect(() => readFrameAncestors({ SIMPLESIM_FRAME_ANCESTORS: given })).toThrow(/Set it to origins/);
    },
  );

  it.each(['embed=1&try=1', 'try=1&embed=1', 'panels=skills,drive&embed=1&origin=https%3A%2F%2Fa.example&try=1'])(
    'any site may frame the page if it can contain no key: %s',
    (query) => {
      expect(frameAncestors(query, "'self'")).toBe('*');
      expect(readEmbedSettings(`http://h/?${query}`)?.tryHere).toBe(true);
    },
  );

  it.each([
    ...['', 'embed=1', 'try=1', 'embed=1&try=0', 'embed=01&try=1', 'xembed=1&try=1', 'embed=1&try=1x', 'EMBED=1&TRY=1'],
    // Programs differ in which of two values counts, in what `;` means, and in whether names are decoded first.
    ...['embed=;&embed=1&try=1', 'embed=1&embed=0&try=1', 'embed=0&embed=1&try=1', 'embed=1&try=0&try=1', 'embed=1;try=1'],
    ...['embed=1&try=1;', '%65mbed=0&embed=1&try=1', 'embed=1&try=1&%74ry=0', '+embed=1&embed=1&try=1', 'embed&embed=1&try=1'],
    ...['embed=1&try=1&a', '&embed=1&try=1', '?embed=1&try=1', 'embed=1&try=1#', 'em%00bed=0&embed=1&try=1'],
  ])('only the allowed sites may frame the page in doubtful cases: %s', (query) => {
    expect(frameAncestors(query, "'self'")).toBe("'self'");
  });
});

it.each(['/robots', '/robots/', '/robots.html'])(
  '%s, which contains an API key, is in no frame, whatever is requested or allowed',
  (path) => {
    for (const query of ['', 'embed=1', 'embed=1&try=1'])
      for (const allowed of ["'self'", '*']) expect(frameAncestorsAt(path, query, allowed)).toBe("'none'");
    expect(frameAncestorsAt('/', 'embed=1&try=1', "'self'")).toBe('*');
  },
);

it('the proxy of a fleet sets the same policy as our own server', () => {
  const caddyfile = readFileSync(join(import.meta.dirname, '../../deploy/Caddyfile'), 'utf8');
  expect(caddyfile).toContain(policyText(null));
  expect(caddyfile).toContain(PERMISSIONS_POLICY);
  const query = '{http.request.uri.query}';
  const conditions = [
    ...KEYLESS_QUERY.all.map((pattern) => `${query}.matches("${pattern}")`),
    ...KEYLESS_QUERY.none.map((pattern) => `!${query}.matches("${pattern}")`),
    '!{http.request.uri.path}.startsWith("/robots")',
  ];
  expect(caddyfile).toContain(`@anybody expression \`${conditions.join(' && ')}\``);
  expect(caddyfile).toMatch(/@robots path \/robots\n[\s\S]*vars @robots framed_by "'none'"\n/);
});
