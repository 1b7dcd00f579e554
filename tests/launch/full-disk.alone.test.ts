import { closeSync, existsSync, mkdirSync, mkdtempSync, openSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runMaker } from '../../src/control-service/db/empty-database.ts';
import { openTrouble } from '../../src/control-service/db/pglite-folder.ts';
import { fullDiskText } from '../../src/control-service/thrown.ts';
import { removeUnfinished } from '../../src/launch/sfu-files.ts';
import { removeLitter } from '../../src/launch/viewer-build.ts';

/** Linux’s file that reports a full disk at every write. */
const FULL_DISK = '/dev/full';
const FREE_SPACE = 'Free some space, then start again; nothing that was stored is lost.';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'simplesim-full-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('a full disk', () => {
  it.runIf(existsSync(FULL_DISK))(
    'a full disk during the creation of the first database is reported as such, without a trace',
    async () => {
      const archive = openSync(FULL_DISK, 'w');
      const trouble = await runMaker(archive).catch((error: unknown) => error);
      closeSync(archive);
      expect(trouble).toMatchObject({ code: 'ENOSPC' });
      expect(openTrouble(join(folder, 'db'), trouble).message).toBe(
        `The database in ${join(folder, 'db')} cannot be opened: the disk is full. ${FREE_SPACE}`,
      );
    },
    120_000,
  );

  it('a full disk is recognised by its code, or by the words of programs without a code', () => {
    const thrown = Object.assign(new Error('ENOSPC: no space left on device, write'), {
      code: 'ENOSPC',
      path: '/data/local.json',
    });
    expect(fullDiskText(thrown)).toBe(`The disk is full (/data/local.json). ${FREE_SPACE}`);
    for (const text of ['write /tmp/x.o: no space left on device', 'No space left on device (os error 28)']) {
      expect(fullDiskText(text)).toBe(`The disk is full. ${FREE_SPACE}`);
      expect(fullDiskText(new Error(text))).toBe(`The disk is full. ${FREE_SPACE}`);
    }
    for (const other of [new Error('no space for a robot'), Object.assign(new Error('x'), { code: 'EACCES' }), null, {}])
      expect(fullDiskText(other)).toBeNull();
  });
});

describe('the remains of a killed start', () => {
  it('the remains of a killed start of the viewer are removed with the next build, and nothing else', () => {
    for (const name of ['dist-123', 'dist-123-old', 'dist-notes', 'sfu'])
      mkdirSync(join(folder, name, 'assets'), { recursive: true });
    removeLitter(folder);
    expect(readdirSync(folder).sort()).toEqual(['dist-notes', 'sfu']);
  });

  it('the remains of a killed start of the SFU are removed with the next build, and nothing else', () => {
    const target = join(folder, 'livekit-server');
    for (const name of ['livekit-server', 'livekit-server.lock']) writeFileSync(join(folder, name), '');
    for (const name of ['livekit-server.aB3dE6', 'other.aB3dE6']) mkdirSync(join(folder, name, 'go'), { recursive: true });
    removeUnfinished(target);
    expect(readdirSync(folder).sort()).toEqual(['livekit-server', 'livekit-server.lock', 'other.aB3dE6']);
  });
});
