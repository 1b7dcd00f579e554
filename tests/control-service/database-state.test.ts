import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OpenDatabase } from '../../src/control-service/db/database.ts';
import { stateOf } from '../../src/control-service/db/database-state.ts';
import { openDatabase } from '../../src/control-service/db/open.ts';
import { refuseWrites, silence } from './helpers/database-faults.ts';
import { DATABASES, newDatabase } from './helpers/databases.ts';

/** The longest check, plus the delay of a busy machine. */
const SETTLES_WITHIN_MS = 8_000;

describe.each(DATABASES)('the state of $database', ({ database }) => {
  let open: OpenDatabase;
  let nowMs = 0;
  const look = () => stateOf(open.db, () => nowMs);
  const sizeOf = async (what: string): Promise<number> => {
    const { rows } = (await open.db.execute(sql.raw(`select ${what} as size`))) as unknown as { rows: { size: string }[] };
    return Number(rows[0]?.size);
  };
  beforeAll(async () => {
    open = await openDatabase(await newDatabase(database));
  }, 120_000);
  afterAll(() => open.close());

  it('the state is up while the database accepts writes', async () => {
    expect(await open.state()).toBe('up');
  });

  it('the state is read_only while the database answers but rejects writes, and up again when it accepts them', async () => {
    const endFault = await refuseWrites(open.db, 'write_probes');
    const state = look();
    expect(await state()).toBe('read_only');
    await endFault();
    expect(await state()).toBe('up');
  });

  it('the state is down within seconds of silence, however often it is queried, and up again when the database answers', async () => {
    const endFault = await silence(open.db, database);
    const state = look();
    const startMs = performance.now();
    // PostgreSQL's locks do not block a read without a table.
    const silent = database === 'PGlite' ? 'down' : 'read_only';
    expect(await Promise.all(Array.from({ length: 50 }, () => state()))).toEqual(Array(50).fill(silent));
    expect(performance.now() - startMs).toBeLessThan(SETTLES_WITHIN_MS);
    await endFault();
    await expect.poll(state, { timeout: 30_000 }).toBe('up');
  });

  it('the check needs one page of disk for its write, leaves none behind, and does not let the database grow', async () => {
    const state = look();
    await state();
    const before = await sizeOf('pg_database_size(current_database())');
    for (let k = 0; k < 300; k += 1) {
      nowMs += 5_000;
      expect(await state()).toBe('up');
    }
    expect(await sizeOf("pg_relation_size('write_probes')")).toBe(0);
    // The vacuum updates its statistics in place.
    expect(await sizeOf('pg_database_size(current_database())')).toBeLessThanOrEqual(before + 65_536);
  });

  it('the check writes at most once in 5 s', async () => {
    const state = look();
    await state();
    const endFault = await refuseWrites(open.db, 'write_probes');
    nowMs += 4_999;
    expect(await state()).toBe('up');
    nowMs += 1;
    expect(await state()).toBe('read_only');
    await endFault();
  });
});
