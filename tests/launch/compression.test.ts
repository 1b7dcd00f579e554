/** Compressed answers: for which requests and media types, and that decompression restores the original bytes. */
import { linkSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { precompress } from '../../scripts/vite/precompress.ts';
import { compress, encodingFor, precompressed } from '../../src/launch/compression.ts';

describe('the choice of the encoding', () => {
  it.each([
    ['gzip, deflate, br, zstd', 'text/javascript; charset=utf-8', 'br'],
    ['gzip, deflate', 'text/css; charset=utf-8', 'gzip'],
    ['br;q=1.0, gzip;q=0.5', 'application/wasm', 'br'],
    ['br;q=0, gzip', 'image/svg+xml', 'gzip'],
    ['identity', 'text/html; charset=utf-8', null],
    [undefined, 'text/html; charset=utf-8', null],
    ['br', 'font/woff2', null],
    ['br', 'image/webp', null],
  ])('the accepted encodings %s and the media type %s lead to %s', (accepted, mediaType, encoding) => {
    expect(encodingFor(accepted, mediaType, 5_000)).toBe(encoding);
  });

  it('small answers stay uncompressed', () => {
    expect(encodingFor('br', 'text/css', 300)).toBeNull();
  });
});

it('returns the original bytes after decompression, and compresses each file once', async () => {
  const bytes = Buffer.from('walk '.repeat(2_000));
  const brotli = await compress(bytes, 'walk', 'br');
  expect(brotliDecompressSync(brotli)).toEqual(bytes);
  expect(gunzipSync(await compress(bytes, 'walk', 'gzip'))).toEqual(bytes);
  expect(brotli.byteLength).toBeLessThan(bytes.byteLength / 20);
  expect(await compress(bytes, 'walk', 'br')).toBe(brotli);
});

it('replaces a file that is compressed ahead as a whole: a killed build leaves no partial file', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'simplesim-precompress-'));
  try {
    writeFileSync(join(dir, 'page.js'), 'walk '.repeat(2_000));
    writeFileSync(join(dir, 'page.js.br'), 'before');
    // A second name of the very file: what is written into it shows here too.
    linkSync(join(dir, 'page.js.br'), join(dir, 'witness'));
    await precompress(dir);
    expect(readFileSync(join(dir, 'witness'), 'utf8')).toBe('before');
    expect(brotliDecompressSync(readFileSync(join(dir, 'page.js.br'))).length).toBe(10_000);
    expect(readdirSync(dir).sort()).toEqual(['page.js', 'page.js.br', 'witness']);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
});

it('serves what the build has compressed ahead, unless the file is newer', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'simplesim-precompress-'));
  try {
    const [script, small, picture] = ['page.js', 'small.js', 'backdrop.webp'].map((name) => join(dir, name)) as [
      string,
      string,
      string,
    ];
    const bytes = Buffer.from('walk '.repeat(2_000));
    for (const file of [script, picture]) writeFileSync(file, bytes);
    writeFileSync(small, 'walk');
    expect(await precompress(dir)).toMatchObject({ files: 1, bytes: 10_000 });
    expect(brotliDecompressSync((await precompressed(script, 'br')) ?? '')).toEqual(bytes);
    expect(await precompressed(script, 'gzip')).toBeNull();
    expect(await precompressed(small, 'br')).toBeNull();
    expect(await precompressed(picture, 'br')).toBeNull();
    const later = Date.now() / 1000 + 60;
    utimesSync(script, later, later);
    expect(await precompressed(script, 'br')).toBeNull();
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
});
