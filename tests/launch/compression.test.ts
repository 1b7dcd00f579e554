/** Compressed answers: to whom, of what, and that what comes out is what went in. */
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { compress, encodingFor } from '../../src/launch/compression.ts';

describe('which encoding', () => {
  it.each([
    ['gzip, deflate, br, zstd', 'text/javascript; charset=utf-8', 'br'],
    ['gzip, deflate', 'text/css; charset=utf-8', 'gzip'],
    ['br;q=1.0, gzip;q=0.5', 'application/wasm', 'br'],
    ['br;q=0, gzip', 'image/svg+xml', 'gzip'],
    ['identity', 'text/html; charset=utf-8', null],
    [undefined, 'text/html; charset=utf-8', null],
    ['br', 'font/woff2', null],
    ['br', 'image/webp', null],
  ])('%s, %s: %s', (accepted, mediaType, encoding) => {
    expect(encodingFor(accepted, mediaType, 5_000)).toBe(encoding);
  });

  it('leaves alone what is small', () => {
    expect(encodingFor('br', 'text/css', 300)).toBeNull();
  });
});

it('gives the bytes back, and does each file once', async () => {
  const bytes = Buffer.from('walk '.repeat(2_000));
  const brotli = await compress(bytes, 'walk', 'br');
  expect(brotliDecompressSync(brotli)).toEqual(bytes);
  expect(gunzipSync(await compress(bytes, 'walk', 'gzip'))).toEqual(bytes);
  expect(brotli.byteLength).toBeLessThan(bytes.byteLength / 20);
  expect(await compress(bytes, 'walk', 'br')).toBe(brotli);
});
