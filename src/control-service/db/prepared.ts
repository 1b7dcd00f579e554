import type { Database } from './database.ts';

/**
 * Drizzle names each prepared statement, and a server keeps one per name. A statement without a name also works through a pooler
 * that changes servers.
 */
const NAMELESS = '';

/** A statement with placeholders, as drizzle's query builders create it. */
interface Preparable<Statement> {
  prepare(name: string): Statement;
}

/**
 * Returns a statement of a database, built on first use. Building the text of its statements takes a tenth of a request's time,
 * so the statements of most requests are built once.
 * @param build builds the statement; its values are `sql.placeholder`s
 */
export function preparedOnce<Statement>(build: (db: Database) => Preparable<Statement>): (db: Database) => Statement {
  const statements = new WeakMap<Database, Statement>();
  return (db) => {
    const known = statements.get(db);
    if (known !== undefined) return known;
    const statement = build(db).prepare(NAMELESS);
    statements.set(db, statement);
    return statement;
  };
}
