import type { ParserOptions, PGlite, QueryOptions, Transaction } from '@electric-sql/pglite';

type Query = PGlite['query'];

/**
 * Lets the client keep the parsers that drizzle passes with each query, which are always the same. For each query with parsers,
 * PGlite copies its table of all types, which takes longer than most queries. Other users of this client get drizzle's dates, as
 * text.
 */
export function keepParsers(client: PGlite): void {
  const kept = new Set<string>();
  /** Returns the options without parsers, because the client itself has them from this point. */
  const withoutParsers = (options: QueryOptions | undefined): QueryOptions | undefined => {
    if (!options?.parsers) return options;
    const { parsers, ...rest } = options;
    for (const [type, parser] of Object.entries(parsers)) {
      if (kept.has(type)) continue;
      kept.add(type);
      (client.parsers as ParserOptions)[Number(type)] = parser;
    }
    return rest;
  };
  const keeping =
    (query: Query): Query =>
    (text, values, options) =>
      query(text, values, withoutParsers(options));
  const [query, transaction] = [client.query.bind(client), client.transaction.bind(client)];
  client.query = keeping(query as Query);
  client.transaction = (run) =>
    transaction((tx: Transaction) => {
      tx.query = keeping(tx.query as Query);
      return run(tx);
    });
}
