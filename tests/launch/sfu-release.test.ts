import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pinnedVersion } from '../../src/launch/sfu-binary.ts';
import { cacheFiles, homebrewFolders } from '../../src/launch/sfu-files.ts';
import { downloadsUrl, noArchiveText, type ReleaseArchives } from '../../src/launch/sfu-release.ts';

it('the pinned archives have the version that sfu/go.mod names, and each has a SHA-256 of its own', () => {
  const archives: ReleaseArchives = JSON.parse(readFileSync(join(import.meta.dirname, '../../sfu/release.json'), 'utf8'));
  const name = (rest: string): string => `livekit_${pinnedVersion()}_${rest}`;
  expect(Object.fromEntries(Object.entries(archives).map(([machine, archive]) => [machine, archive.name]))).toEqual({
    'linux-x64': name('linux_amd64.tar.gz'),
    'linux-arm64': name('linux_arm64.tar.gz'),
    'win32-x64': name('windows_amd64.zip'),
    'win32-arm64': name('windows_arm64.zip'),
  });
  const sums = Object.values(archives).map(({ sha256 }) => sha256);
  expect(sums.every((sum) => /^[0-9a-f]{64}$/.test(sum))).toBe(true);
  expect(new Set(sums).size).toBe(sums.length);
});

describe('SIMPLESIM_SFU_DOWNLOADS', () => {
  it.each([
    [undefined, 'https://github.com/livekit/livekit/releases/download'],
    ['https://mirror.example/livekit/', 'https://mirror.example/livekit'],
    [' http://127.0.0.1:8000 ', 'http://127.0.0.1:8000'],
    ['', null],
    [' ', null],
  ])('%j makes the address %j', (setting, url) => {
    expect(downloadsUrl(setting)).toBe(url);
  });

  it.each([
    'off',
    '/srv/mirror',
    'file:///srv/mirror',
    'https://user:hidden@mirror.example',
    'https://mirror.example/?key=hidden',
  ])('rejects %j with what to set, and does not repeat it', (setting) => {
    expect(() => downloadsUrl(setting)).toThrow(/^SIMPLESIM_SFU_DOWNLOADS is not the address of a folder\. Set it to/);
    expect(() => downloadsUrl(setting)).not.toThrow(/hidden/);
  });
});

it('names Homebrew on macOS, and the machine elsewhere, if a release has no archive', () => {
  expect(noArchiveText('darwin', 'arm64')).toMatch(/no archive for macOS\. Run `brew install livekit`/);
  expect(noArchiveText('linux', 'riscv64')).toBe('LiveKit publishes no archive for linux on riscv64.');
});

it("searches Homebrew's folders on macOS only, the user's prefix first", () => {
  expect(homebrewFolders({ HOMEBREW_PREFIX: '/opt/mine' }, 'darwin').slice(0, 3)).toEqual([
    '/opt/mine/bin',
    '/opt/mine/opt/livekit/bin',
    '/opt/homebrew/bin',
  ]);
  expect(homebrewFolders({ HOMEBREW_PREFIX: '' }, 'darwin')).toContain('/usr/local/bin');
  expect(homebrewFolders({ HOMEBREW_PREFIX: '/opt/mine' }, 'linux')).toEqual([]);
});

it("caches each version under a name of its own, in the project and in the user's cache", () => {
  const key = `sfu-1.2.3-${process.platform}-${process.arch}`;
  const [project, user] = cacheFiles('1.2.3', { HOME: '/home/a' }, '/project/.cache/sfu');
  expect(project).toBe(`/project/.cache/sfu/${key}/livekit-server`);
  expect(user).toBe(`/home/a/.cache/simplesim/${key}/livekit-server`);
  expect(cacheFiles('1.2.3', { HOME: '/home/a', XDG_CACHE_HOME: '/x' }, '/project')[1]).toBe(
    `/x/simplesim/${key}/livekit-server`,
  );
});
