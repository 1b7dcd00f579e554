import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, unlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import type { KeptRuntime } from '../../runtime/kept-runtime.ts';
import type { Place } from '../robot-messages.ts';
import { ACTIONS_ENDING, type ActionFile, openActionFile } from './action-file.ts';

/** A kept world as its file has it. */
export interface FiledWorld {
  /** A room, and the robot in it. */
  place: string;
  savedAtMs: number;
  /** How many times in a row a process went on from it and ended soon after. */
  tries: number;
  kept: KeptRuntime;
}

/** The file of one robot's world. Its owner alone can read it. */
export interface WorldFile {
  readonly path: string;
  /** The actions that the world goes with. */
  readonly actions: ActionFile;
  /** @returns null when there is none; the name of an invalid file, which is set aside */
  read(): Promise<FiledWorld | { aside: string } | null>;
  /** Writes the file: it is the new one or the one before, whatever ends the process in the meantime. */
  write(world: Omit<FiledWorld, 'place'>): Promise<void>;
  /** Removes the world and keeps the actions: their ids count in whatever world comes next. */
  removeWorld(): Promise<void>;
  /** Removes the file with its actions, and what this writer has half written. */
  remove(): Promise<void>;
}

const ENDING = '.world';
const ASIDE = '.unreadable';
const HALF = '.half';
/** Far more than the size of a world. */
const FILE_MAX_BYTES = 4_000_000;
/** Each writer has a half of its own: a robot that another has put out may still write, and neither spoils the other's. */
let halves = 0;
const KEPT_FOR_MS = 7 * 24 * 3_600_000;
/** A world and its actions are two files. */
const FILES_MAX = 512;

/** Makes the file that keeps the world of one robot in one room. @param folder that of the kept worlds */
export function openWorldFile(folder: string, { room, robotId }: Pick<Place, 'room' | 'robotId'>): WorldFile {
  const place = `${room}/${robotId}`;
  // Anybody may choose names of rooms and robots.
  const stem = join(folder, createHash('sha256').update(place).digest('hex').slice(0, 32));
  const path = stem + ENDING;

  halves += 1;
  const half = `${path}${HALF}.${process.pid}-${halves}`;
  const actions = openActionFile(stem + ACTIONS_ENDING, `${stem}${ACTIONS_ENDING}${HALF}.${process.pid}-${halves}`);

  async function leaveAside(): Promise<{ aside: string }> {
    const aside = path + ASIDE;
    await rename(path, aside);
    return { aside };
  }

  async function removeWorld(): Promise<void> {
    await rm(path, { force: true });
    await rm(half, { force: true });
  }

  return {
    path,
    actions,
    async read() {
      const { size } = await stat(path).catch(ifMissing({ size: -1 }));
      if (size < 0) return null;
      if (size > FILE_MAX_BYTES) return leaveAside();
      const world = parse(await readFile(path));
      return world?.place === place ? world : leaveAside();
    },
    async write(world) {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await writeFile(half, serialize({ place, ...world } satisfies FiledWorld), { mode: 0o600 });
      await rename(half, path);
    },
    removeWorld,
    async remove() {
      await removeWorld();
      actions.remove();
    },
  };
}

/** Drops worlds that are old, and the oldest beyond a number: their sessions are over. */
export async function sweepWorlds(folder: string, nowMs: number): Promise<void> {
  const names = await readdir(folder).catch(ifMissing([]));
  const files = await Promise.all(
    names
      .filter(
        (name) =>
          [ENDING, ENDING + ASIDE, ACTIONS_ENDING].some((ending) => name.endsWith(ending)) ||
          [ENDING, ACTIONS_ENDING].some((ending) => name.includes(ending + HALF)),
      )
      .map(async (name) => ({
        path: join(folder, name),
        atMs: (await stat(join(folder, name)).catch(ifMissing({ mtimeMs: 0 }))).mtimeMs,
      })),
  );
  files.sort((one, other) => other.atMs - one.atMs);
  for (const [index, { path, atMs }] of files.entries())
    if (index >= FILES_MAX || nowMs - atMs > KEPT_FOR_MS) await unlink(path).catch(ifMissing(undefined));
}

function parse(bytes: Buffer): FiledWorld | null {
  try {
    const value = deserialize(bytes) as Partial<FiledWorld> | null;
    const isWorld =
      typeof value?.place === 'string' &&
      typeof value.savedAtMs === 'number' &&
      typeof value.tries === 'number' &&
      typeof value.kept === 'object';
    return isWorld ? (value as FiledWorld) : null;
  } catch {
    return null;
  }
}

const ifMissing =
  <T>(instead: T) =>
  (thrown: unknown): T => {
    if (thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT') return instead;
    throw thrown;
  };
