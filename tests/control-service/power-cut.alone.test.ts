import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { grantOnlyKey } from '../../src/control-service/accounts.ts';
import type { Caller } from '../../src/control-service/caller.ts';
import { systemClock } from '../../src/control-service/clock.ts';
import type { OpenDatabase } from '../../src/control-service/db/database.ts';
import { openDatabase } from '../../src/control-service/db/open.ts';
import { robots } from '../../src/control-service/db/schema.ts';
import { DEFAULT_SETTINGS, type ServiceDeps } from '../../src/control-service/deps.ts';
import { createRobot } from '../../src/control-service/operations/robots.ts';
import { createService } from '../../src/control-service/service.ts';
import { FakeSfu } from './helpers/fake-sfu.ts';
import { pgliteImage } from './helpers/pglite-image.ts';
import { PowerCut } from './helpers/power-cut.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'simplesim-power-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const depsOn = ({ db }: OpenDatabase): ServiceDeps =>
  createService({
    db,
    sfu: new FakeSfu(),
    clock: systemClock,
    randomBytes,
    log: () => {},
    settings: { ...DEFAULT_SETTINGS, pinHashCost: 4 },
  });
const addRobot = async (database: OpenDatabase, caller: Caller, name: string): Promise<string> =>
  (await createRobot(depsOn(database), caller, { name, model: 'm', type: 'virtual' })).robot.id;

it('an acknowledged write is on the disk: a power cut right after it loses nothing, also on the first day', async () => {
  const image = await pgliteImage();
  const disk = join(root, 'disk');
  mkdirSync(disk);
  const power = new PowerCut(disk);
  const acknowledged: string[] = [];
  const cuts: { folder: string; ids: string[] }[] = [];
  const cut = (): void => {
    const folder = join(root, `cut-${cuts.length}`);
    power.leave(folder);
    cuts.push({ folder: join(folder, 'data/db'), ids: [...acknowledged] });
  };
  try {
    const database = await openDatabase({ kind: 'folder', folder: join(disk, 'data/db'), image });
    const caller = await grantOnlyKey(depsOn(database), 'a', 'sk_live_of-this-test');
    acknowledged.push(await addRobot(database, caller, 'first'));
    cut();
    for (let count = 0; count < 5; count += 1) acknowledged.push(await addRobot(database, caller, `robot ${count}`));
    await database.db.execute(sql`checkpoint`);
    acknowledged.push(await addRobot(database, caller, 'after a checkpoint'));
    cut();
    await database.close();
  } finally {
    power.stop();
  }
  for (const { folder, ids } of cuts) {
    const after = await openDatabase({ kind: 'folder', folder });
    expect((await after.db.select({ id: robots.id }).from(robots)).map(({ id }) => id).sort()).toEqual(ids);
    await after.close();
  }
}, 180_000);
