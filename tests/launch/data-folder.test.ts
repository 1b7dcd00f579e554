import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { takeDataFolder } from '../../src/launch/data-folder.ts';

let root: string;
let folder: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'simplesim-data-'));
  folder = join(root, 'data');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const modeOf = (path: string): number => statSync(path).mode & 0o7777;
const made = (mode: number, ...names: string[]): void => {
  mkdirSync(folder);
  for (const name of names) writeFileSync(join(folder, name), '');
  chmodSync(folder, mode);
};
/** Returns the sentence that a person reads; one line. */
function refusal(take: () => void): string {
  try {
    take();
  } catch (error) {
    const { message } = error as Error;
    expect(message).not.toContain('\n');
    return message;
  }
  throw new Error('It was taken.');
}

describe('a data folder belongs to its owner alone', () => {
  it('a new data folder belongs to its owner alone, with the folders above it', () => {
    takeDataFolder(join(folder, 'deep'));
    for (const own of [folder, join(folder, 'deep')]) expect(modeOf(own)).toBe(0o700);
  });

  it('a new data folder is ignored by Git, so that its keys are not committed with a project', () => {
    takeDataFolder(folder);
    expect(readFileSync(join(folder, '.gitignore'), 'utf8')).toBe('*\n');
  });

  it.each([0o777, 0o755, 0o2775, 0o750])('an existing data folder is restricted to its owner, with mode %o', (mode) => {
    made(mode, 'operator.sock', 'db.lock', 'db.copy', 'class.lock');
    takeDataFolder(folder);
    expect(modeOf(folder)).toBe(0o700);
  });

  it('a data folder in which a platform ran is restricted to its owner, whatever else it contains', () => {
    made(0o755, 'local.json', 'letter.txt');
    takeDataFolder(folder);
    expect(modeOf(folder)).toBe(0o700);
  });

  it('a data folder behind a link is restricted to its owner', () => {
    made(0o777);
    symlinkSync(folder, join(root, 'link'));
    takeDataFolder(join(root, 'link'));
    expect(modeOf(folder)).toBe(0o700);
  });

  it('a data folder that is already restricted may contain any file of its owner', () => {
    made(0o700, 'letter.txt');
    takeDataFolder(folder);
  });
});

describe('a folder that cannot be the data folder', () => {
  it('a folder of another user is rejected as the data folder, with the reason and a remedy', () => {
    made(0o777);
    const { uid } = statSync(folder);
    expect(refusal(() => takeDataFolder(folder, uid + 1))).toMatch(
      new RegExp(
        `^The data folder .* belongs to another user \\(id ${uid}\\).*Start it as that user, give the folder to this one`,
      ),
    );
    expect(modeOf(folder)).toBe(0o777);
  });

  it.each([
    [
      'that others use for other things',
      0o755,
      ['letter.txt'],
      'open to other users (mode 755) and holds other things (letter.txt)',
    ],
    ['that all users share', 0o1777, [], 'open to other users (mode 1777) and is made for all users'],
  ])('a folder %s is rejected as the data folder', (_which, mode, names, why) => {
    made(mode, ...names);
    const said = refusal(() => takeDataFolder(folder));
    expect(said).toContain(why);
    expect(said).toContain('name another data folder (SIMPLESIM_DATA_DIR)');
    expect(modeOf(folder)).toBe(mode);
  });

  it.each(['', 'below'])('a file, or a folder below a file, is rejected as the data folder', (below) => {
    writeFileSync(folder, '');
    expect(refusal(() => takeDataFolder(join(folder, below)))).toContain(
      'is not a folder, or a part of its path is not. Move that away',
    );
    expect(existsSync(folder)).toBe(true);
  });
});
