import { chmodSync, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { thrownText } from '../control-service/thrown.ts';
import { UsageError } from './read-options.ts';
import { readServiceArgs } from './service-args.ts';
import { type OperatorDeps, type Printed, runOperatorCommand } from './service-commands.ts';

/**
 * A data folder belongs to one process at a time. That process receives the operator's commands on a socket in the folder, which
 * only its own user may open.
 */
export interface OperatorSocket {
  close(): Promise<void>;
}

type Reply = { printed: Printed } | { trouble: string; isUsage: boolean };

const NAME = 'operator.sock';
/** Longest path of a socket, on the system with the lowest limit. */
const PATH_MAX_BYTES = 103;
/** Arguments are short; a larger request is not from an operator. */
const REQUEST_MAX_BYTES = 16_384;

/** Receives commands for the open database of this folder. @returns null if the folder's path is too long for a socket */
export async function openOperatorSocket(dataDir: string, deps: OperatorDeps): Promise<OperatorSocket | null> {
  const path = join(dataDir, NAME);
  if (Buffer.byteLength(path) > PATH_MAX_BYTES || process.platform === 'win32') return null;
  // A killed process left it: the database's lock shows that the process has ended.
  rmSync(path, { force: true });
  const open = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket));
    socket.on('error', () => socket.destroy());
    void answer(deps, socket).then((reply) => socket.end(JSON.stringify(reply)));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, resolve);
  });
  chmodSync(path, 0o600);
  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of open) socket.destroy();
      }),
  };
}

/**
 * Lets the process that has the folder open carry out a command.
 * @returns null if no process receives commands there
 * @throws The command's error, as if it were carried out here
 */
export async function askOperatorSocket(dataDir: string, args: string[]): Promise<Printed | null> {
  const path = join(dataDir, NAME);
  if (Buffer.byteLength(path) > PATH_MAX_BYTES || process.platform === 'win32') return null;
  const socket = connect(path);
  let said: string;
  try {
    socket.end(JSON.stringify(args));
    said = await text(socket);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ECONNREFUSED') return null;
    throw error;
  }
  const reply = JSON.parse(said === '' ? '{"trouble":"The platform ended meanwhile. Try again."}' : said) as Reply;
  if ('printed' in reply) return reply.printed;
  throw reply.isUsage ? new UsageError(reply.trouble) : new Error(reply.trouble);
}

async function answer(deps: OperatorDeps, socket: Socket): Promise<Reply> {
  try {
    let said = '';
    // The reply uses the same connection, so the socket stays open after the request.
    for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
      said += chunk;
      if (said.length > REQUEST_MAX_BYTES) throw new UsageError('The command is too long.');
    }
    const args: unknown = JSON.parse(said);
    if (!Array.isArray(args) || !args.every((arg) => typeof arg === 'string')) throw new UsageError('This is not a command.');
    const command = readServiceArgs(args);
    if (command.verb === 'serve') throw new UsageError('The control service runs already.');
    return { printed: await runOperatorCommand(deps, command) };
  } catch (error) {
    return { trouble: thrownText(error), isUsage: error instanceof UsageError };
  }
}
