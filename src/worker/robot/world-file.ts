import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, unlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import type { KeptRuntime } from '../../runtime/kept-runtime.ts';
import type { Place } from '../robot-messages.ts';
import { ACTIONS_ENDING, type ActionFile, openActionFile } from './action-file.ts';

/** A saved world, in the form of its file. */
export interface FiledWorld {
  /** A room, and the robot in it. */
  place: string;
  savedAtMs: number;
  /** How many times in a row a process resumed it and ended soon after. */
  tries: number;
  kept: KeptRuntime;
}

/** The file of one robot's world, readable only by its owner. */
export interface WorldFile {
  readonly path: string;
  /** The actions that belong to the world. */
  readonly actions: ActionFile;
  /** Reads the world. @returns null if there is no file; the name of an invalid file, which is moved aside */
  read(): Promise<FiledWorld | { aside: string } | null>;
  /** Writes the file atomically: whatever ends the process meanwhile, the file is the new one or the previous one. */
  write(world: Omit<FiledWorld, 'place'>): Promise<void>;
  /** Removes the world and keeps the actions, because their ids count in every later world. */
  removeWorld(): Promise<void>;
  /** Removes the file with its actions, and this writer's unfinished files. */
  remove(): Promise<void>;
}

const ENDING = '.world';
const ASIDE = '.unreadable';
const HALF = '.half';
/** Much more than the size of a world. */
const FILE_MAX_BYTES = 4_000_000;
/** Each writer has its own unfinished file: a displaced robot may still write, and must not damage the file of its successor. */
let halves = 0;
const KEPT_FOR_MS = 7 * 24 * 3_600_000;
/** A world and its actions are two files. */
const FILES_MAX = 512;

/** Creates the file that stores the world of one robot in one room. @param folder that of the saved worlds */
export function openWorldFile(folder: string, { room, robotId }: Pick<Place, 'room' | 'robotId'>): WorldFile {
  const place = `${room}/${robotId}`;
  // Names of rooms and robots may be any text.
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

/** Removes old worlds, and the oldest ones beyond a number: their sessions are over. */
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
