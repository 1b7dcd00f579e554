import type { Database } from './database.ts';

/** Drizzle gives each prepared statement a name, and a server keeps one under it. A statement without a name also passes a pooler that changes servers. */
const NAMELESS = '';

/** A statement with placeholders, as drizzle's query builders make it. */
interface Preparable<Statement> {
  prepare(name: string): Statement;
}

/**
 * Returns a statement of a database, made when it is first asked for. To put the texts of a request's statements together
 * takes a tenth of its time, so those that most requests make are put together once.
 * @param build makes the statement; its values are `sql.placeholder`s
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
