import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

/** The steps that change something on a disk. */
export const FILE_STEPS = ['create', 'write', 'mkdir', 'rename', 'link', 'remove', 'truncate', 'chmod', 'fsync'] as const;
export type FileStep = (typeof FILE_STEPS)[number];

/** Receives each change before it is made; `half` makes its first part, as an interrupting kill does (null: it is atomic). */
type Watch = (step: FileStep, half: (() => void) | null) => void;

/** A kill cuts a write between pages of memory, not within a page. */
const PAGE_BYTES = 4_096;

type Sync = (...args: never[]) => unknown;
const STEP_OF: Record<string, FileStep> = {
  openSync: 'create',
  writeSync: 'write',
  writeFileSync: 'write',
  mkdirSync: 'mkdir',
  renameSync: 'rename',
  linkSync: 'link',
  unlinkSync: 'remove',
  rmSync: 'remove',
  rmdirSync: 'remove',
  ftruncateSync: 'truncate',
  truncateSync: 'truncate',
  chmodSync: 'chmod',
  fchmodSync: 'chmod',
  fsyncSync: 'fsync',
};

/** Reports each change to files by this process, with any library, before it is made. @returns a function that ends this */
export function watchFileSteps(watch: Watch): () => void {
  const functions = fs as unknown as Record<string, Sync>;
  const real = Object.fromEntries(Object.keys(STEP_OF).map((name) => [name, functions[name] as Sync]));
  let isInside = false;
  for (const [name, step] of Object.entries(STEP_OF)) {
    const original = real[name] as (...args: unknown[]) => unknown;
    functions[name] = ((...args: unknown[]) => {
      // Node's own functions use each other.
      if (isInside || (step === 'create' && !isCreating(args[1]))) return original(...args);
      isInside = true;
      try {
        watch(step, halfOf(name, args, original));
        return original(...args);
      } finally {
        isInside = false;
      }
    }) as Sync;
  }
  syncBuiltinESMExports();
  return () => {
    Object.assign(functions, real);
    syncBuiltinESMExports();
  };
}

function isCreating(flags: unknown): boolean {
  if (typeof flags === 'number') return (flags & (fs.constants.O_CREAT | fs.constants.O_TRUNC)) !== 0;
  return typeof flags === 'string' && /[wa]/.test(flags);
}

function halfOf(name: string, args: unknown[], original: (...args: unknown[]) => unknown): (() => void) | null {
  if (name === 'writeFileSync') return () => void original(args[0], '', args[2]);
  if (name !== 'writeSync') return null;
  const [file, bytes, offset, length, position] = args;
  const pages = Math.floor(Number(length) / 2 / PAGE_BYTES);
  return pages === 0 ? null : () => void original(file, bytes, offset, pages * PAGE_BYTES, position);
}
