import { once } from 'node:events';
import net from 'node:net';
import { inspect } from 'node:util';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { Client, PlatformConnectionError, PlatformSDKError, RcwRuntimeError } from '../../src/client/index.ts';
import { unwatchedFetch } from '../client-models/watch-http.ts';
import { fakeFetch, ROBOT } from './helpers/fake-fetch.ts';

// A malicious service, or an attacker in between: what it sends costs little, ends in time and reveals nothing.

const KEY = 'sk_live_that_nobody_sees';
const ESCAPED_KEY = [...KEY].map((character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');

const closings: (() => void)[] = [];
afterEach(() => {
  for (const close of closings.splice(0)) close();
});

/** Answers each request with these bytes; `heads` are those of the requests. */
async function serve(answer: Buffer | string): Promise<{ rcsUrl: string; heads: string[]; answer: Buffer | string }> {
  const served = { rcsUrl: '', heads: [] as string[], answer };
  const open = new Set<net.Socket>();
  const server = net.createServer((socket) => {
    open.add(socket);
    socket.on('error', () => {});
    socket.on('data', (head) => {
      served.heads.push(head.toString('latin1'));
      socket.end(served.answer);
    });
  });
  closings.push(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  served.rcsUrl = `http://127.0.0.1:${(server.address() as net.AddressInfo).port}/rcs`;
  return served;
}

function http(status: string, body: string | Buffer, ...headers: string[]): Buffer {
  const head = [`HTTP/1.1 ${status}`, `content-length: ${Buffer.byteLength(body)}`, 'connection: close', ...headers];
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), Buffer.from(body)]);
}

const clientOf = (service: { rcsUrl: string }) =>
  new Client({ rcsUrl: service.rcsUrl, apiKey: KEY, maxRetries: 0, fetch: (...asked) => unwatchedFetch(...asked) });

async function refusal(call: Promise<unknown>): Promise<PlatformSDKError> {
  const error = await call.then(
    () => 'there was an answer',
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(PlatformSDKError);
  return error as PlatformSDKError;
}

/** Everything that a log or a debugger shows of an error. */
const reported = (error: Error) => `${inspect(error, { depth: 20, showHidden: true })} ${error.stack} ${error.message} ${error}`;

describe('a redirect', () => {
  it.each([301, 302, 303, 307, 308])('a redirect with status %i sends the key to no other host', async (status) => {
    const other = await serve(http('200 OK', JSON.stringify(ROBOT)));
    const service = await serve(http(`${status} Moved`, '', `location: ${other.rcsUrl}/v1/robots/r1`));
    const error = await refusal(clientOf(service).robots.get('r1'));
    expect(error).toBeInstanceOf(PlatformConnectionError);
    expect(error.message).toContain('answers with a redirect, which is not followed');
    expect(service.heads).toHaveLength(1);
    expect(other.heads).toHaveLength(0);
  });
});

it('a small answer that decompresses to a huge one is aborted', async () => {
  const packed = gzipSync(gzipSync(Buffer.alloc(20 * 1024 * 1024), { level: 1 }));
  const service = await serve(http('200 OK', packed, 'content-encoding: gzip, gzip'));
  expect((await refusal(clientOf(service).robots.get('r1'))).message).toContain('larger than 16 MiB');
});

describe('an error contains no key', () => {
  it.each([
    ['message', `{"code": "x", "message": "bad ${ESCAPED_KEY}"}`],
    ['code', `{"code": "${ESCAPED_KEY}", "message": "m"}`],
    ['error', `{"error": {"message": "bad ${ESCAPED_KEY}"}}`],
    ['validation', `{"detail": [{"loc": ["${ESCAPED_KEY}"], "msg": "${ESCAPED_KEY}"}]}`],
    ['details', `{"message": "m", "details": {"hint": "${ESCAPED_KEY}", "deep": [[{"x": "${ESCAPED_KEY}"}]]}}`],
    ['name of a detail', `{"message": "m", "details": {"${ESCAPED_KEY}": 1}}`],
    ['request id', `{"message": "m", "details": {"request_id": "${ESCAPED_KEY}"}}`],
    ['text', `bad ${KEY}`],
    ['too deep', `{"message": "${KEY}", "details": {"x": ${'['.repeat(5_000)}"${ESCAPED_KEY}"${']'.repeat(5_000)}}}`],
  ])('an error shows no key from its %s', async (_, body) => {
    for (const status of ['400 Bad Request', '401 Unauthorized']) {
      const service = await serve(http(status, body, `x-request-id: ${KEY}`));
      expect(reported(await refusal(clientOf(service).robots.get('r1')))).not.toContain(KEY);
    }
  });

  it('an error shows no key from a header or the reason of the status', async () => {
    const service = await serve(http(`400 ${KEY}`, '{"message": "m"}', `x-request-id: ${KEY}`, `retry-after: ${KEY}`));
    const error = await refusal(clientOf(service).robots.get('r1'));
    expect(error).toMatchObject({ requestId: '[redacted]', message: 'm' });
    expect(reported(error)).not.toContain(KEY);
  });

  it('an error shows no key from an answer that is not HTTP, which the engine repeats', async () => {
    const error = await refusal(clientOf(await serve(`SSH-2.0 ${KEY}\r\n\r\n`)).robots.get('r1'));
    expect(error).toBeInstanceOf(PlatformConnectionError);
    expect(reported(error)).not.toContain(KEY);
  });

  it('an error shows no key from a rejection of the runtime', async () => {
    const problem = `{"code": "BUSY", "message": "${ESCAPED_KEY}", "details": {"hint": "${ESCAPED_KEY}", "deep": ${'['.repeat(5_000)}"${ESCAPED_KEY}"${']'.repeat(5_000)}}}`;
    const service = await serve(http('200 OK', `{"status": "failed", "error": ${problem}}`));
    const error = await refusal(clientOf(service).robots.sendSessionCommand('r1', 'cancel', {}));
    expect(error).toBeInstanceOf(RcwRuntimeError);
    expect(error).toMatchObject({ code: 'BUSY', runtimeMessage: '[redacted]', details: { hint: '[redacted]' } });
    expect(reported(error)).not.toContain(KEY);
  });

  it('an error without the key still reports why the service cannot be reached', async () => {
    const service = await serve('');
    for (const close of closings.splice(0)) close();
    const error = await refusal(clientOf(service).robots.get('r1'));
    expect(error.cause).toBeInstanceOf(TypeError);
    const shown = inspect(error);
    expect(shown).toContain('ECONNREFUSED');
    expect(shown).not.toContain('undici');
    expect(shown.split('\n').length).toBeLessThan(20);
  });
});

describe('a list that never ends', () => {
  const page = (robotCount: number, next_id: string | null) => ({
    body: { robots: Array(robotCount).fill(ROBOT), next_id, total: 1 },
  });
  const walk = async (answers: ReturnType<typeof page>[]) => {
    // The list ends after a while, so that a walk without a check fails the test and does not hang it.
    const { fetch, seen } = fakeFetch(...answers, page(0, null));
    const client = new Client({ rcsUrl: 'http://rcs.test/rcs', apiKey: KEY, fetch });
    let robotCount = 0;
    for await (const _ of client.robots.iter()) robotCount += 1;
    return { robotCount, seen };
  };
  const repeated = (nextIds: string[]) => Array.from({ length: 20 }, (_, at) => page(1, nextIds[at % nextIds.length] ?? null));

  it.each([[['a']], [['a', 'b']], [['a', 'b', 'c']]])(
    'an endless list whose pages repeat in a cycle is detected: %j',
    async (nextIds) => {
      const error = await refusal(walk(repeated(nextIds)));
      expect(error.message).toMatch(/^GET \/v1\/robots: .* names a page that was read already/);
    },
  );

  it('an endless list whose empty page names a next page is detected', async () => {
    const error = await refusal(walk(Array.from({ length: 20 }, (_, at) => page(0, `next-${at}`))));
    expect(error.message).toMatch(/^GET \/v1\/robots: .* an empty page/);
  });

  it('a list whose last page is empty does not count as endless, because its robots were deleted meanwhile', async () => {
    expect(await walk([page(1, 'r1')])).toMatchObject({ robotCount: 1 });
  });
});

it('half of a character in an id is an error of the library, and nothing is sent', async () => {
  const { fetch, seen } = fakeFetch({ body: ROBOT });
  const client = new Client({ rcsUrl: 'http://rcs.test/rcs', apiKey: KEY, fetch });
  expect((await refusal(client.robots.get('\ud800'))).message).toContain('The robot id fits in no address');
  expect(seen).toHaveLength(0);
});
