/**
 * A control service that keeps writing until it is killed. It gets ready, and opens the database at the first line of its
 * standard input (an `Order`). It reports what it found, and then each write before it begins and after it is acknowledged.
 */
import { randomBytes } from 'node:crypto';
import { readFileSync, writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { asc, sql } from 'drizzle-orm';
import { grantOnlyKey } from '../../../src/control-service/accounts.ts';
import type { Caller } from '../../../src/control-service/caller.ts';
import { systemClock } from '../../../src/control-service/clock.ts';
import type { Database } from '../../../src/control-service/db/database.ts';
import { openDatabase } from '../../../src/control-service/db/open.ts';
import { failedClaims, robots, sessions } from '../../../src/control-service/db/schema.ts';
import { DEFAULT_SETTINGS, type ServiceDeps } from '../../../src/control-service/deps.ts';
import { claimRobot } from '../../../src/control-service/operations/claim.ts';
import { createRobot, deleteRobot, registerPhysicalRobot, updateRobot } from '../../../src/control-service/operations/robots.ts';
import { deleteSession, openSession } from '../../../src/control-service/operations/sessions.ts';
import { createService } from '../../../src/control-service/service.ts';
import { ServiceError } from '../../../src/control-service/service-error.ts';
import { FakeSfu } from './fake-sfu.ts';
import { watchFileSteps } from './file-steps.ts';
import { type Found, type Order, type Report, randomFrom, type Steps, type Write } from './kill-reports.ts';

const LANES = 3;
/** A lane only makes robots up to this number; beyond it, it also changes and deletes them. */
const ROBOTS_OF_A_LANE = 6;

interface Known {
  id: string;
  type: 'physical' | 'virtual';
  hasSession: boolean;
}

/** Saved before file steps are watched. */
const writeToParent = writeSync;
let random = randomFrom(0);
const report = (what: Report): number => writeToParent(1, `${JSON.stringify(what)}\n`);

report({ kind: 'ready' });
createInterface({ input: process.stdin }).once('line', (line) => void run(JSON.parse(line) as Order));

async function run({ folder, image, seed, trouble }: Order): Promise<void> {
  random = randomFrom(seed);
  const steps: Steps = {};
  const stopWatching = watchFileSteps((step, half) => {
    const count = (steps[step] ?? 0) + 1;
    steps[step] = count;
    if (trouble === null || trouble.step !== step || count < trouble.nth) return;
    if (trouble.kind === 'full disk') throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
    if (trouble.half) half?.();
    process.kill(process.pid, 'SIGKILL');
    // The signal is on its way; the process does nothing more here.
    for (;;);
  });
  let db: Database;
  try {
    ({ db } = await openDatabase({
      kind: 'folder',
      folder,
      ...(image === null ? {} : { image: new Blob([readFileSync(image)]) }),
    }));
  } catch (error) {
    report({ kind: 'refused', message: error instanceof Error ? error.message : String(error) });
    return;
  } finally {
    stopWatching();
  }
  const deps = createService({
    db,
    sfu: new FakeSfu(),
    clock: systemClock,
    randomBytes,
    log: () => {},
    settings: {
      ...DEFAULT_SETTINGS,
      pinHashCost: 4,
      claimLimit: { perCaller: 1e9, perRobot: 1e9, perCallerAndRobot: 1e9, perPin: 1e9, windowMs: 1e9 },
      accountLimits: {
        robots: 1e6,
        openSessions: 1e6,
        linksOfSession: 1e6,
        apiKeys: 1e6,
        creationsPerMinute: 1e6,
        waitingCommands: 1e6,
        requestsAtOnce: 1e6,
      },
    },
  });
  const found = await readAll(db);
  report({ kind: 'opened', found, steps });
  const caller = await grantOnlyKey(deps, 'writer', 'sk_live_of-the-writer');
  const known = found.robots.map(({ id, type }): Known => ({ id, type, hasSession: found.phases[id] === 'open' }));
  await Promise.all(
    Array.from({ length: LANES }, (_, lane) =>
      writeOn(
        deps,
        caller,
        lane,
        known.filter((__, i) => i % LANES === lane),
      ),
    ),
  );
}

async function readAll(db: Database): Promise<Found> {
  // An index that lost a row would answer differently from the table.
  const ids: string[][] = [];
  for (const ways of [['seqscan'], ['indexscan', 'indexonlyscan', 'bitmapscan']]) {
    await db.transaction(async (tx) => {
      for (const way of ways) await tx.execute(sql.raw(`set local enable_${way} = off`));
      ids.push((await tx.select({ id: robots.id }).from(robots).orderBy(asc(robots.id))).map(({ id }) => id));
    });
  }
  const rows = await db.select().from(robots).orderBy(asc(robots.id));
  const open = await db.select().from(sessions);
  const tries: Record<string, number> = {};
  for (const { robotId } of await db.select().from(failedClaims)) tries[robotId] = (tries[robotId] ?? 0) + 1;
  return {
    robots: rows.map(({ id, name, type, model }) => ({ id, name, type, model })),
    phases: Object.fromEntries(open.map(({ robotId, phase }) => [robotId, phase])),
    tries,
    agree: ids.every((list) => list.join() === rows.map(({ id }) => id).join()),
  };
}

async function writeOn(deps: ServiceDeps, caller: Caller, lane: number, known: Known[]): Promise<void> {
  for (let count = 0; ; count += 1) {
    const { write, run: carryOut } = choose(deps, caller, known, `lane ${lane} robot ${count} ${random()}`);
    report({ kind: 'begin', lane, write });
    const id = await carryOut();
    report({ kind: 'done', lane, write: { ...write, id } });
  }
}

/** A random write. When carried out, it returns the id of its robot. */
function choose(deps: ServiceDeps, caller: Caller, known: Known[], name: string): { write: Write; run: () => Promise<string> } {
  const at = Math.floor(random() * known.length);
  const robot = known[at];
  const chance = random();
  if (!robot || (known.length < ROBOTS_OF_A_LANE && chance < 0.4)) {
    // One guessed robot is enough: it has no owner, so no account deletes it.
    const type = known.some((one) => one.type === 'physical') ? 'virtual' : 'physical';
    const body = { name, model: `model of ${name}` };
    const run = async (): Promise<string> => {
      const made = await (type === 'virtual' ? createRobot(deps, caller, { ...body, type }) : registerPhysicalRobot(deps, body));
      known.push({ id: made.robot.id, type, hasSession: false });
      return made.robot.id;
    };
    return { write: { op: 'create', id: '', name, type }, run };
  }
  const { id } = robot;
  if (robot.type === 'physical') {
    const run = async (): Promise<string> => {
      const refusal: unknown = await claimRobot(deps, caller, id, 'wrong').catch((error: unknown) => error);
      if (!(refusal instanceof ServiceError) || refusal.code !== 'claim.wrong_pin') throw refusal;
      return id;
    };
    return { write: { op: 'guess', id }, run };
  }
  const as = (write: Write, carryOut: () => Promise<unknown>) => ({ write, run: () => carryOut().then(() => id) });
  if (chance < 0.3) return as({ op: 'rename', id, name }, () => updateRobot(deps, caller, id, { name }));
  if (chance < 0.5) {
    known.splice(at, 1);
    return as({ op: 'delete', id }, () => deleteRobot(deps, caller, id));
  }
  robot.hasSession = !robot.hasSession;
  if (robot.hasSession) return as({ op: 'open', id }, () => openSession(deps, caller, id, { worker_names: [] }));
  return as({ op: 'close', id }, () => deleteSession(deps, caller, id));
}
