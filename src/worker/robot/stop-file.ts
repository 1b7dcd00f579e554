import { createHash } from 'node:crypto';
import { closeSync, fsyncSync, mkdirSync, openSync, readdirSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Caller } from '../../protocol/wire/caller.ts';
import { type EmergencyStop, type KeptEmergency, readKeptEmergency } from '../../runtime/emergency-state.ts';

/**
 * The record of a robot's emergency stop, in a separate file. It outlives the process, the session, and a world that is not
 * resumed. It is written before the press is answered.
 */
export interface StopFile {
  /** Reads the record. @returns null if the stop was never pressed; an unreadable record counts as a latched stop */
  read(): KeptEmergency | null;
  /** @throws if the disk rejects the write */
  write(emergency: KeptEmergency, names?: StopNames): void;
}

/**
 * The display names of the participants that a record names by ids: a person at the machine, who decides about a release, does
 * not know the ids.
 */
export interface StopNames {
  /** Null if the room has no name for the participant. */
  robot: string | null;
  presser: string | null;
}

const NO_NAMES: StopNames = { robot: null, presser: null };

/** A robot whose record contains a latched emergency stop. */
export interface StoppedRobot {
  /** Empty for an unreadable record. */
  robotId: string;
  latched: EmergencyStop;
  names: StopNames;
  /**
   * Releases the stop for a person at the machine; the robot's next process accepts commands.
   * @param atMs milliseconds since the epoch
   */
  release(atMs: number): void;
}

const ENDING = '.stop';
/** The folder is not writable at all. */
const ABSENT = new Set(['ENOENT', 'ENOTDIR']);
const UNREADABLE: Caller = { kind: 'robot', what: 'the worker, which could not read its record of the emergency stop' };

/** @param folder the folder of the saved worlds */
export function openStopFile(folder: string, robotId: string): StopFile {
  // Names of robots may be any text.
  const path = join(folder, `${createHash('sha256').update(robotId).digest('hex').slice(0, 32)}${ENDING}`);
  return {
    read: () => readStop(path)?.emergency ?? null,
    write: (emergency, names = NO_NAMES) => writeStop(folder, path, { robotId, emergency, names }),
  };
}

/** The content of a file. */
interface Stop {
  robotId: string;
  emergency: KeptEmergency;
  names: StopNames;
}

function writeStop(folder: string, path: string, { robotId, emergency, names }: Stop): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const half = `${path}.half`;
  const file = openSync(half, 'w', 0o600);
  try {
    writeSync(file, JSON.stringify({ robotId, ...emergency, names }));
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(half, path);
}

/** Returns the robots of this folder that are stopped. */
export function stoppedRobots(folder: string): StoppedRobot[] {
  const names = readdirSafely(folder).filter((name) => name.endsWith(ENDING));
  return names.flatMap((name) => {
    const path = join(folder, name);
    const { robotId = '', emergency, names = NO_NAMES } = readStop(path) ?? {};
    if (!emergency?.latched) return [];
    const { latched, pressIds, release } = emergency;
    const released = [...(release?.pressIds ?? []), ...pressIds];
    return {
      robotId,
      latched,
      names,
      release(atMs) {
        const after: KeptEmergency = {
          latched: null,
          pressIds: [],
          release: { atMs, pressIds: released, place: 'worker_machine' },
        };
        writeStop(folder, path, { robotId, emergency: after, names });
      },
    };
  });
}

function readStop(path: string): Stop | null {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (thrown) {
    if (thrown instanceof Error && 'code' in thrown && ABSENT.has(String(thrown.code))) return null;
    return UNREAD;
  }
  try {
    const value = JSON.parse(text) as { robotId?: unknown; names?: unknown };
    const emergency = readKeptEmergency(value);
    if (emergency === null || typeof value.robotId !== 'string') return UNREAD;
    // An earlier version did not store names.
    return { robotId: value.robotId, emergency, names: readNames(value.names) };
  } catch {
    return UNREAD;
  }
}

function readNames(value: unknown): StopNames {
  if (typeof value !== 'object' || value === null) return NO_NAMES;
  const { robot, presser } = value as Record<string, unknown>;
  return { robot: typeof robot === 'string' ? robot : null, presser: typeof presser === 'string' ? presser : null };
}

const UNREAD: Stop = {
  robotId: '',
  names: NO_NAMES,
  emergency: { latched: { by: UNREADABLE, sinceMs: 0, reason: null }, pressIds: [], release: null },
};

function readdirSafely(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
