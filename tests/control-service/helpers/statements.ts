import type { Database } from '../../../src/control-service/db/database.ts';

/** The part of both drivers, PGlite's and node-postgres', by which drizzle sends a statement outside a transaction. */
interface Driver {
  query(statement: string | { text: string }, ...rest: unknown[]): unknown;
}

/** Returns the texts of the statements that are sent to the database while `act` runs. */
export async function statementsDuring(db: Database, act: () => Promise<unknown>): Promise<string[]> {
  const driver = (db as unknown as { $client: Driver }).$client;
  const texts: string[] = [];
  const query = driver.query.bind(driver);
  driver.query = (statement, ...rest) => {
    texts.push(typeof statement === 'string' ? statement : statement.text);
    return query(statement, ...rest);
  };
  try {
    await act();
  } finally {
    driver.query = query;
  }
  return texts;
}
