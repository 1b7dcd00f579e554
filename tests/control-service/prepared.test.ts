/** Statements that are built once are correct for every value and in every transaction, and have no name at the server. */
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { preparedOnce } from '../../src/control-service/db/prepared.ts';
import { accounts } from '../../src/control-service/db/schema.ts';
import { DATABASES } from './helpers/databases.ts';
import { startTestService, type TestService } from './helpers/service.ts';

describe.each(DATABASES)('a statement that is put together once, on $database', ({ database }) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({ database });
    await service.reset();
  });
  afterAll(() => service.close());

  const build = vi.fn((db: TestService['deps']['db']) =>
    db
      .select({ name: accounts.name })
      .from(accounts)
      .where(eq(accounts.name, sql.placeholder('name'))),
  );
  const named = preparedOnce(build);

  it('a prepared statement returns the answer for each value', async () => {
    const { db } = service.deps;
    build.mockClear();
    expect(await named(db).execute({ name: 'one' })).toEqual([{ name: 'one' }]);
    expect(await named(db).execute({ name: "nobody's" })).toEqual([]);
    expect(await Promise.all([1, 2, 3].map(() => named(db).execute({ name: 'one' })))).toEqual(Array(3).fill([{ name: 'one' }]));
    expect(build).toHaveBeenCalledTimes(1);
  });

  it('a prepared statement sees the writes of its own transaction, and nothing of one that was rolled back', async () => {
    const { db } = service.deps;
    const undone = db.transaction(async (tx) => {
      await tx.insert(accounts).values({ id: 'of-the-test', name: 'of the test', createdAt: new Date(0) });
      expect(await named(tx).execute({ name: 'of the test' })).toHaveLength(1);
      throw new Error('taken back');
    });
    await expect(undone).rejects.toThrow('taken back');
    expect(await named(db).execute({ name: 'of the test' })).toEqual([]);
  });

  it('a prepared statement has no name at the server, so that a pooler may send it to another connection', async () => {
    const { db } = service.deps;
    await named(db).execute({ name: 'one' });
    const { rows } = (await db.execute(sql`select name from pg_prepared_statements`)) as unknown as { rows: { name: string }[] };
    expect(rows.filter(({ name }) => name !== '')).toEqual([]);
  });
});
