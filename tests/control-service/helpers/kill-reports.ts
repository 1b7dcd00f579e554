/** The messages between the writer that is killed and its judge. */

import type { FileStep } from './file-steps.ts';

/** A write to the database, as `create` is acknowledged with its id. */
export type Write =
  | { op: 'create'; id: string; name: string; type: 'physical' | 'virtual' }
  | { op: 'rename'; id: string; name: string }
  | { op: 'delete' | 'open' | 'close' | 'guess'; id: string };

/** The whole content of the database when it was opened. */
export interface Found {
  robots: { id: string; name: string; type: 'physical' | 'virtual'; model: string }[];
  /** Phase of the session of each robot that has one. */
  phases: Record<string, string>;
  /** The number of wrong PINs for each robot that had any. */
  tries: Record<string, number>;
  /** Whether table and indexes agree. */
  agree: boolean;
}

/** The number of changes of each kind that were made to files. */
export type Steps = Partial<Record<FileStep, number>>;

/** The task of the writer. */
export interface Order {
  folder: string;
  seed: number;
  /** The image file from which a missing folder is made; null: it is made from nothing, which takes 5 s of processor time. */
  image: string | null;
  /** The fault while it opens: a kill before a change to a file or after half of it, or a disk that is full from a change on. */
  trouble: { kind: 'kill' | 'full disk'; step: FileStep; nth: number; half: boolean } | null;
}

export type Report =
  | { kind: 'ready' }
  | { kind: 'opened'; found: Found; steps: Steps }
  /** The database could not be opened. */
  | { kind: 'refused'; message: string }
  /** A lane has one write in progress at a time. */
  | { kind: 'begin' | 'done'; lane: number; write: Write };

/** Returns numbers from 0 to 1 that a seed determines (mulberry32, by Tommy Ettinger, public domain). */
export function randomFrom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
