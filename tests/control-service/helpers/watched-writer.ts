import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Found, Order, Report, Steps } from './kill-reports.ts';

export type WriteReport = Extract<Report, { kind: 'begin' | 'done' }>;

/** The outcome of opening the database. */
export type Opening = { kind: 'opened'; found: Found; steps: Steps } | { kind: 'refused'; message: string } | { kind: 'died' };

/** A process of kill-writer.ts. */
export interface Writer {
  pid: number | undefined;
  /** Makes it open the database. @returns the outcome */
  open(order: Order): Promise<Opening>;
  /** Resolves when this many writes were begun (or acknowledged). */
  reported(kind: WriteReport['kind'], count: number): Promise<void>;
  /** Kills it. @returns everything that it reported of its writes */
  kill(): Promise<WriteReport[]>;
}

/** @param program the built kill-writer.ts */
export function startWriter(program: string): Writer {
  const child = spawn(process.execPath, [program]);
  const writes: WriteReport[] = [];
  const waiting = new Set<() => void>();
  let troubles = '';
  let isReady = false;
  let opening: Opening | null = null;
  let hasEnded = false;
  const lookAll = (): void => {
    for (const look of waiting) look();
  };
  child.stderr.on('data', (chunk) => {
    troubles += chunk;
  });
  child.stdin.on('error', () => {});
  createInterface({ input: child.stdout }).on('line', (line) => {
    const report = JSON.parse(line) as Report;
    if (report.kind === 'ready') isReady = true;
    else if (report.kind === 'opened' || report.kind === 'refused') opening = report;
    else writes.push(report);
    lookAll();
  });
  const ended = new Promise<void>((resolve) =>
    child.once('close', () => {
      hasEnded = true;
      lookAll();
      resolve();
    }),
  );
  /** Resolves with the first value that is not null; rejects if the writer ends without a kill. */
  const until = <T>(value: () => T | null): Promise<T> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        const now = value();
        if (now === null && !hasEnded) return;
        waiting.delete(look);
        if (now !== null) resolve(now);
        else reject(new Error(`The writer ended: ${troubles}`));
      };
      waiting.add(look);
      look();
    });
  return {
    pid: child.pid,
    open: async (order) => {
      await until(() => (isReady ? true : null));
      child.stdin.write(`${JSON.stringify(order)}\n`);
      return until((): Opening | null => opening ?? (hasEnded && child.signalCode === 'SIGKILL' ? { kind: 'died' } : null));
    },
    reported: async (kind, count) => {
      await until(() => (writes.filter((write) => write.kind === kind).length >= count ? true : null));
    },
    kill: async () => {
      child.kill('SIGKILL');
      await ended;
      return writes;
    },
  };
}
