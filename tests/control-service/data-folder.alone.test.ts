import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { grantOnlyKey } from '../../src/control-service/accounts.ts';
import { systemClock } from '../../src/control-service/clock.ts';
import type { OpenDatabase } from '../../src/control-service/db/database.ts';
import { openDatabase } from '../../src/control-service/db/open.ts';
import { sessions } from '../../src/control-service/db/schema.ts';
import { DEFAULT_SETTINGS, type ServiceDeps } from '../../src/control-service/deps.ts';
import { createRobot } from '../../src/control-service/operations/robots.ts';
import { openSession } from '../../src/control-service/operations/sessions.ts';
import { createService } from '../../src/control-service/service.ts';
import { FakeSfu } from './helpers/fake-sfu.ts';
import { watchFileSteps } from './helpers/file-steps.ts';
import { makePgliteFolder, pgliteImage } from './helpers/pglite-image.ts';

let root: string;
let folder: string;
let database: OpenDatabase;
const open = async (from = folder) => openDatabase({ kind: 'folder', folder: from, image: await pgliteImage() });
const depsOn = (): ServiceDeps =>
  createService({
    db: database.db,
    sfu: new FakeSfu(),
    clock: systemClock,
    randomBytes,
    log: () => {},
    settings: { ...DEFAULT_SETTINGS, pinHashCost: 4 },
  });

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'simplesim-folder-'));
  folder = join(root, 'data/db');
  database = await open();
});
afterAll(async () => {
  await database.close();
  rmSync(root, { recursive: true, force: true });
});

it('a data folder is accessible to its owner alone, and to one process at a time', async () => {
  for (const own of [folder, join(folder, '..')]) expect(statSync(own).mode & 0o777).toBe(0o700);
  const inside = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const openToOthers = inside.filter(({ parentPath, name }) => (statSync(join(parentPath, name)).mode & 0o077) !== 0);
  expect(inside.length).toBeGreaterThan(900);
  expect(openToOthers).toEqual([]);
  await expect(open()).rejects.toThrow(`The database in ${folder} is in use by process ${process.pid}.`);
});

it('PostgreSQL takes no more memory for buffers than a service needs', async () => {
  const { rows } = (await database.db.execute(
    sql`select setting::int * 8 as kb from pg_settings where name = 'shared_buffers'`,
  )) as {
    rows: { kb: number }[];
  };
  // PostgreSQL rounds up by a part of its own.
  expect(rows[0]?.kb).toBeLessThanOrEqual(12 * 1024);
});

it('a session that a killed process left half open is opened at once by the next process', async () => {
  const deps = depsOn();
  const caller = await grantOnlyKey(deps, 'a', 'sk_live_of-this-test');
  const { robot } = await createRobot(deps, caller, { name: 'Ada', model: 'm', type: 'virtual' });
  const half = { robotId: robot.id, roomName: 'half', phase: 'opening', phaseEndsAt: new Date(Date.now() + 30_000) } as const;
  await deps.db.insert(sessions).values({ ...half, createdAt: new Date() });
  await database.close();
  // As after a kill: the lock of a dead process, and a file that PostgreSQL had begun.
  writeFileSync(`${folder}.lock`, '999999999 long-gone\n');
  writeFileSync(join(folder, 'postmaster.pid'), '');
  // The mode that earlier versions set.
  chmodSync(join(folder, 'PG_VERSION'), 0o666);
  chmodSync(join(folder, 'base'), 0o755);
  database = await open();
  expect(existsSync(`${folder}.lock`)).toBe(true);
  for (const name of ['PG_VERSION', 'base']) expect(statSync(join(folder, name)).mode & 0o077).toBe(0);
  await openSession(depsOn(), caller, robot.id, { worker_names: [] });
  expect(await database.db.select({ phase: sessions.phase }).from(sessions)).toEqual([{ phase: 'open' }]);
});

describe('a database that cannot be opened is reported with the cause and a remedy', () => {
  it('a database cannot be opened in a folder of other files, which stays unchanged', async () => {
    const other = join(root, 'other');
    mkdirSync(other);
    writeFileSync(join(other, 'letter.txt'), 'dear');
    await expect(open(other)).rejects.toThrow(/is neither empty nor a database\. Move it away, then start again/);
    expect(readdirSync(other)).toEqual(['letter.txt']);
  });

  it('a folder in which no database can be made is reported without the advice to restore a copy', async () => {
    const refused = open(join(root, 'n'.repeat(300), 'db'));
    await expect(refused).rejects.toThrow(/cannot be opened: ENAMETOOLONG.* none can be made\. Name another data folder/);
  });

  it('a database on a full disk is reported, and opens when there is space again', async () => {
    const fresh = join(root, 'fresh');
    for (const [start, writes] of [
      ['of which nothing can be written', 0],
      ['that is half made', 500],
      ['that is made', 3],
    ] as const) {
      let left: number = writes;
      const end = watchFileSteps((step) => {
        if (step !== 'write' && step !== 'create') return;
        left -= 1;
        if (left < 0) throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
      });
      try {
        const refused = open(fresh);
        await expect(refused, start).rejects.toThrow(/^The database in .* cannot be opened: the disk is full\. Free some space/);
      } finally {
        end();
      }
      // There is space again, in one case with a database that was being made when the disk filled up.
      if (start !== 'of which nothing can be written') await (await open(fresh)).close();
    }
  }, 180_000);

  it('database files that PostgreSQL does not understand are reported', async () => {
    const broken = join(root, 'broken');
    await makePgliteFolder(broken);
    writeFileSync(join(broken, 'PG_VERSION'), '9.6\n');
    await expect(open(broken)).rejects.toThrow(
      `The database in ${broken} cannot be opened: database files are incompatible with server. Put a copy of the folder in its place that is whole, or move it away`,
    );
  });
});
