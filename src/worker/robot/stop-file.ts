import { createHash } from 'node:crypto';
import { closeSync, fsyncSync, mkdirSync, openSync, readdirSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Caller } from '../../protocol/caller.ts';
import { type EmergencyStop, type KeptEmergency, readKeptEmergency } from '../../runtime/emergency-state.ts';

/**
 * The record of a robot's emergency stop, a file of its own: it outlives the process, the session, and a world that is not gone
 * on with. It is written before the press is answered.
 */
export interface StopFile {
  /** @returns null when nothing was ever pressed; an unreadable record counts as a latched stop */
  read(): KeptEmergency | null;
  /** @throws when the disk refuses */
  write(emergency: KeptEmergency): void;
}

/** A robot whose emergency stop a file has as latched. */
export interface StoppedRobot {
  /** Empty for a record that cannot be read. */
  robotId: string;
  latched: EmergencyStop;
  /** A person at the machine releases it: its next process takes commands. @param atMs milliseconds since the epoch */
  release(atMs: number): void;
}

const ENDING = '.stop';
/** Nothing could ever be written there. */
const ABSENT = new Set(['ENOENT', 'ENOTDIR']);
const UNREADABLE: Caller = { kind: 'robot', what: 'the worker, which could not read its record of the emergency stop' };

/** @param folder the folder of the kept worlds */
export function openStopFile(folder: string, robotId: string): StopFile {
  // Anybody may choose names of robots.
  const path = join(folder, `${createHash('sha256').update(robotId).digest('hex').slice(0, 32)}${ENDING}`);
  return {
    read: () => readStop(path)?.emergency ?? null,
    write: (emergency) => writeStop(folder, path, robotId, emergency),
  };
}

function writeStop(folder: string, path: string, robotId: string, emergency: KeptEmergency): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const half = `${path}.half`;
  const file = openSync(half, 'w', 0o600);
  try {
    writeSync(file, JSON.stringify({ robotId, ...emergency }));
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
    const { robotId = '', emergency } = readStop(path) ?? {};
    if (!emergency?.latched) return [];
    const { latched, pressIds, release } = emergency;
    const released = [...(release?.pressIds ?? []), ...pressIds];
    return {
      robotId,
      latched,
      release: (atMs) => writeStop(folder, path, robotId, { latched: null, pressIds: [], release: { atMs, pressIds: released } }),
    };
  });
}

function readStop(path: string): { robotId: string; emergency: KeptEmergency } | null {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (thrown) {
    if (thrown instanceof Error && 'code' in thrown && ABSENT.has(String(thrown.code))) return null;
    return UNREAD;
  }
  try {
    const value = JSON.parse(text) as { robotId?: unknown };
    const emergency = readKeptEmergency(value);
    return emergency === null || typeof value.robotId !== 'string' ? UNREAD : { robotId: value.robotId, emergency };
  } catch {
    return UNREAD;
  }
}

const UNREAD = {
  robotId: '',
  emergency: { latched: { by: UNREADABLE, sinceMs: 0, reason: null }, pressIds: [], release: null },
};

function readdirSafely(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
