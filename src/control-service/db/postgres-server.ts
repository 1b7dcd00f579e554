import { thrownText } from '../thrown.ts';

/** A PostgreSQL server, as given by a URL. */
export interface Server {
  /** A secret. */
  url: string;
  /** Its display name: host, port and database. */
  name: string;
  database: string;
  /** The password as written and as decoded. Secrets. */
  passwords: string[];
}

const EXAMPLE = 'postgresql://user:password@host:5432/database';

/** Parses the URL of a database. @throws With a sentence on what to do, which does not contain the URL. */
export function parseDatabaseUrl(url: string): Server {
  let parsed: URL;
  try {
    parsed = new URL(url);
    for (const part of [parsed.username, parsed.password, parsed.pathname]) decodeURIComponent(part);
  } catch {
    throw new Error(
      `DATABASE_URL is not a URL. It must look like ${EXAMPLE}; signs like @ : / # % in a password are written as %40 %3A %2F %23 %25.`,
    );
  }
  if (!/^postgres(?:ql)?:$/.test(parsed.protocol)) {
    throw new Error(
      `DATABASE_URL must begin with postgresql://, as in ${EXAMPLE}. To keep the data in a folder of this machine, unset it.`,
    );
  }
  const database = decodeURIComponent(parsed.pathname.slice(1));
  if (database === '') throw new Error(`DATABASE_URL names no database. It must look like ${EXAMPLE}.`);
  const socket = parsed.searchParams.get('host');
  const place = socket ?? (parsed.host === '' ? 'localhost' : parsed.host);
  const passwords = [parsed.password, decodeURIComponent(parsed.password), parsed.searchParams.get('password') ?? ''];
  return { url, database, name: `${place}/${database}`, passwords: passwords.filter((password) => password !== '') };
}

/** Node's codes for a connection that fails or closes. */
const CONNECTION_CODES = /^(?:ECONNREFUSED|ECONNRESET|ENOENT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|EPIPE)$/;
/**
 * PostgreSQL's codes for a failed connection (class 08), exhausted resources (53), shutdown (57P), and an abandoned wait for a
 * lock (40P01, 55P03, 57014).
 */
const SERVER_CODES = /^(?:08\w{3}|53\w{3}|57P0[1-5]|40P01|55P03|57014)$/;
/** The drivers' messages without a code. */
const DRIVER_MESSAGES =
  /^(?:Connection terminated|timeout exceeded|Query read timeout|Client has encountered a connection error|PGlite is clos)/;

/**
 * Returns whether an error of a query means that the database is temporarily unavailable, rather than that the query was wrong.
 */
export function isDatabaseDown(error: unknown): boolean {
  const { code, message } = rootOf(error);
  // No other part of the service uses the network implicitly: failures of the SFU have their own error class.
  return code === null
    ? DRIVER_MESSAGES.test(message)
    : [SERVER_CODES, CONNECTION_CODES].some((codes) => codes.test(code)) || FULL_CODES.has(code);
}

/** The codes of PostgreSQL, and of a file system below it, for a full disk. */
const FULL_CODES = new Set(['53100', 'ENOSPC', 'EDQUOT']);

/** Returns the operator's remedy for an error of a query, as a sentence; null if there is nothing to add to the request id. */
export function databaseRemedy(error: unknown): string | null {
  const { code } = rootOf(error);
  return code !== null && FULL_CODES.has(code)
    ? 'The disk of the database is full: nothing is stored until there is room. Free some space; the service then continues automatically.'
    : null;
}

/** Returns what is wrong with a server and the remedy, in a sentence without secrets. */
export function serverTrouble(server: Server, error: unknown): string {
  const { code, message, syscall } = rootOf(error);
  const at = `The PostgreSQL server at ${server.name}`;
  if (syscall === 'open') return `A file that DATABASE_URL names cannot be read: ${message}`;
  switch (code) {
    case 'ECONNREFUSED':
    case 'ENOENT':
      return `Nothing answers at ${server.name}. Start the PostgreSQL server, or correct host and port in DATABASE_URL.`;
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `The host of ${server.name} is not known. Correct it in DATABASE_URL.`;
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case 'ETIMEDOUT':
      return `${at} cannot be reached. Check the network and the host in DATABASE_URL.`;
    case '28P01':
    case '28000':
      return `${at} refuses the user or the password. Correct them in DATABASE_URL.`;
    case '3D000':
      return `${at} has no database of this name. Make it (createdb ${server.database}), or correct DATABASE_URL.`;
    case '42501':
      return `${at} does not let this user make tables. Give the user the right to (alter database … owner to …), or name another in DATABASE_URL.`;
    case '53300':
      return `${at} takes no more connections. Raise its max_connections, or run fewer instances.`;
    case '55P03':
      return `${at} is being changed by another instance for longer than a minute. Stop that one, then try again.`;
    case '57P01':
    case '57P02':
    case '57P03':
      return `${at} is starting or stopping. Try again in a moment.`;
    default:
      break;
  }
  if (/timeout/i.test(message)) return `${at} does not answer. Check the network and the host and port in DATABASE_URL.`;
  const said = server.passwords.reduce((text, password) => text.replaceAll(password, '…'), message);
  return `${at} cannot be used: ${said === '' ? (code ?? 'no reason given') : said}`;
}

/** Unwraps the driver's error from drizzle's wrapper, whose text contains the statement and its parameters. */
function rootOf(error: unknown): { code: string | null; message: string; syscall: string | null } {
  let root = error;
  while (root instanceof Error && root.cause instanceof Error) root = root.cause;
  const textOf = (name: 'code' | 'syscall') => {
    const value = root instanceof Error && name in root ? (root as NodeJS.ErrnoException)[name] : null;
    return typeof value === 'string' ? value : null;
  };
  return { code: textOf('code'), message: thrownText(root), syscall: textOf('syscall') };
}
