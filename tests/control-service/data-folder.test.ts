import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { grantOnlyKey } from '../../src/control-service/accounts.ts';
import { type OpenDatabase, openDatabase } from '../../src/control-service/db/open.ts';
import { sessions } from '../../src/control-service/db/schema.ts';
import { DEFAULT_SETTINGS, type ServiceDeps } from '../../src/control-service/deps.ts';
import { createRobot } from '../../src/control-service/operations/robots.ts';
import { openSession } from '../../src/control-service/operations/sessions.ts';
import { FakeSfu } from './helpers/fake-sfu.ts';

let root: string;
let folder: string;
let database: OpenDatabase;
const open = () => openDatabase({ kind: 'folder', folder });
const depsOn = (): ServiceDeps => ({
  db: database.db,
  sfu: new FakeSfu(),
  clock: { nowMs: () => Date.now() },
  randomBytes,
  log: () => {},
  settings: { ...DEFAULT_SETTINGS, pinHashCost: 4 },
});

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'simplesim-folder-'));
  folder = join(root, 'db');
  database = await open();
});
afterAll(async () => {
  await database.close();
  rmSync(root, { recursive: true, force: true });
});

it('a data folder is its owner’s alone, and one process’s at a time', async () => {
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  await expect(open()).rejects.toThrow(`The database in ${folder} is in use by process ${process.pid}.`);
});

it('a session that a killed process left half open is opened at once by the next', async () => {
  const deps = depsOn();
  const caller = await grantOnlyKey(deps, 'a', 'sk_live_of-this-test');
  const { robot } = await createRobot(deps, caller, { name: 'Ada', model: 'm', type: 'virtual' });
  const half = { robotId: robot.id, roomName: 'half', phase: 'opening', phaseEndsAt: new Date(Date.now() + 30_000) } as const;
  await deps.db.insert(sessions).values({ ...half, createdAt: new Date() });
  await database.close();
  // As a kill leaves it: the lock of a process that is no more.
  writeFileSync(`${folder}.lock`, '999999999 long-gone\n');
  database = await open();
  expect(existsSync(`${folder}.lock`)).toBe(true);
  await openSession(depsOn(), caller, robot.id, { worker_names: [] });
  expect(await database.db.select({ phase: sessions.phase }).from(sessions)).toEqual([{ phase: 'open' }]);
});
