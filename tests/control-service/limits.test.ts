/** The limits of the server for a caller at its port, over real connections. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createApp } from '../../src/control-service/app.ts';
import type { LogEntry } from '../../src/control-service/deps.ts';
import { SfuError } from '../../src/control-service/sfu-admin.ts';
import { type HttpLimits, type HttpServer, openHttpServer } from '../../src/launch/http-server.ts';
import { checkHttpAnswer } from '../client-models/check.ts';
import { startTestService, type TestService } from './helpers/service.ts';

let service: TestService;
let http: HttpServer;
const log: LogEntry[] = [];
/** An awaited event comes at once on an idle machine. */
const PATIENTLY = { timeout: 60_000 };
beforeAll(async () => {
  service = await startTestService({ database: 'PostgreSQL' });
});
beforeEach(() => service.reset());
afterEach(() => http.close());
afterAll(() => service.close());

async function open(limits: Partial<HttpLimits> = {}): Promise<void> {
  log.length = 0;
  const onLog = (entry: LogEntry) => log.push(entry);
  http = await openHttpServer(0, createApp({ ...service.deps, log: onLog }), undefined, { limits, onLog });
}

async function dial(): Promise<Socket> {
  const socket = connect(http.port, '127.0.0.1');
  socket.on('error', () => {});
  await once(socket, 'connect');
  return socket;
}

const head = (method: string, path: string, headers: string[] = []): string =>
  [`${method} ${path} HTTP/1.1`, 'Host: test', `Authorization: Bearer ${service.keys[0]}`, ...headers, '', ''].join('\r\n');
/** Returns status, headers and body of a raw answer. */
function readAnswer(raw: string) {
  const [top = '', body = ''] = raw.split('\r\n\r\n');
  const requestId = /^x-request-id: (\S+)/im.exec(top)?.[1];
  return { status: Number(top.split(' ')[1]), requestId, closes: /^connection: close/im.test(top), body };
}
async function exchange(request: string) {
  const socket = await dial();
  socket.write(request);
  return readAnswer(await text(socket));
}
const call = (path: string, init: RequestInit = {}) =>
  fetch(`http://127.0.0.1:${http.port}${path}`, {
    ...init,
    headers: { Authorization: `Bearer ${service.keys[0]}`, 'Content-Type': 'application/json', ...init.headers },
  });
const createRobot = async (): Promise<string> => {
  const body = JSON.stringify({ name: 'Ada', model: 'm', type: 'virtual' });
  return (await (await call('/v1/robots', { method: 'POST', body })).json()).result.id;
};

/** Expects that an answer of the server itself has the error body and the request id of every other answer. */
function expectRefusal(answer: ReturnType<typeof readAnswer>, status: number, code: string): void {
  expect(answer.status).toBe(status);
  // The port itself makes these answers, without the application.
  checkHttpAnswer({ method: 'GET', path: '/v1/robots', status: answer.status, body: answer.body });
  expect(JSON.parse(answer.body)).toEqual({ code, message: expect.any(String), details: { request_id: answer.requestId } });
  expect(answer.requestId).toMatch(/^req_/);
  expect(log).toContainEqual(expect.objectContaining({ request_id: answer.requestId, code }));
}

describe('a request that is too much', () => {
  it('a request with too large a body is 413, with or without a declared length, and its rest is not awaited', async () => {
    await open();
    const reported = await exchange(head('POST', '/v1/robots', ['Content-Type: application/json', 'Content-Length: 9999999']));
    expect([reported.status, JSON.parse(reported.body).code]).toEqual([413, 'request.too_large']);
    const chunk = `8000\r\n${' '.repeat(0x8000)}\r\n`;
    const headers = ['Content-Type: application/json', 'Transfer-Encoding: chunked', 'Connection: close'];
    const unreported = await exchange(head('POST', '/v1/robots', headers) + chunk.repeat(3));
    expect([unreported.status, JSON.parse(unreported.body).code]).toEqual([413, 'request.too_large']);
    expect((await call('/v1/robots')).status).toBe(200);
  });

  it('a request with too large headers or too long an address is 431', async () => {
    await open();
    expectRefusal(
      await exchange(head('GET', '/v1/robots', [`X-Filler: ${'x'.repeat(20_000)}`])),
      431,
      'request.headers_too_large',
    );
    expectRefusal(await exchange(head('GET', `/v1/robots/${'x'.repeat(20_000)}`)), 431, 'request.headers_too_large');
  });

  it.each([
    ['no HTTP', 'hello there\r\n\r\n'],
    ['no host', 'GET /v1/robots HTTP/1.1\r\nConnection: close\r\n\r\n'],
    ['an invalid host', 'GET /v1/robots HTTP/1.1\r\nHost: a b/c\r\nConnection: close\r\n\r\n'],
    ['two lengths', 'POST /v1/robots HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n'],
    [
      'length and chunks',
      'POST /v1/robots HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['a line break in a header', 'GET /v1/robots HTTP/1.1\r\nHost: a\r\nX: a\nb\r\n\r\n'],
  ])('a malformed request, %s, is 400', async (_, request) => {
    await open();
    const answer = await exchange(request);
    expectRefusal(answer, 400, 'request.malformed');
  });
});

describe('a caller that is slow', () => {
  it('a caller that is slow with the headers gets 408; one that sends nothing is disconnected without an answer', async () => {
    await open({ headersTimeoutMs: 150, requestTimeoutMs: 150 });
    expectRefusal(await exchange('GET /v1/robots HTTP/1.1\r\nHost: a\r\n'), 408, 'request.timeout');
    expect(await text(await dial())).toBe('');
  });

  it('a caller that is slow with the body gets 408, and nothing of the request is left', async () => {
    await open({ headersTimeoutMs: 150, requestTimeoutMs: 150 });
    const slow = head('POST', '/v1/robots', ['Content-Type: application/json', 'Content-Length: 50']);
    expectRefusal(await exchange(`${slow}{"name": "Ada"`), 408, 'request.timeout');
    await expect
      .poll(() => log.find((entry) => entry.event === 'request'), PATIENTLY)
      .toMatchObject({ code: 'request.malformed' });
    expect((await (await call('/v1/robots')).json()).total).toBe(0);
  });

  it.each([
    ['the body', 'Content-Length: 500', '{"name": "Ada"'],
    ['a body of which nothing is required, and of which nothing has come', 'Content-Length: 500', ''],
    ['a body in chunks, of which one has come', 'Transfer-Encoding: chunked', '2\r\n{}\r\n'],
  ])('a caller that disconnects in the middle of %s leaves nothing behind and causes no error', async (_, length, piece) => {
    await open();
    const id = await createRobot();
    log.length = 0;
    const socket = await dial();
    const arrived = once(http.server, 'request');
    socket.write(head('POST', `/v1/robots/${id}/session`, ['Content-Type: application/json', length]) + piece);
    await arrived;
    socket.destroy();
    // The disconnect may be noticed before the body is read, or meanwhile.
    const code = expect.stringMatching(/^(?:request\.malformed|client\.gone)$/);
    await expect.poll(() => log.find((entry) => entry.event === 'request'), PATIENTLY).toMatchObject({ level: 'info', code });
    expect(service.sfu.rooms.size).toBe(0);
  });
});

it('connections beyond the limit are closed at once, and accepted again when there is room', async () => {
  await open({ connectionsMax: 2 });
  const [first] = [await dial(), await dial()];
  expect(await text(await dial())).toBe('');
  expect(log).toContainEqual({ level: 'warn', event: 'connection_dropped', connections_max: 2 });
  first.destroy();
  await expect.poll(async () => (await call('/v1/robots').catch(() => null))?.status, PATIENTLY).toBe(200);
});

describe('a caller of a command that goes away', () => {
  it('a caller that disconnects ends its command: the runtime gets no further calls and nothing stays open', async () => {
    await open();
    const id = await createRobot();
    await call(`/v1/robots/${id}/session`, { method: 'POST' });
    service.sfu.identities = [`simplesim:${id}`];
    // A runtime that never replies would be called for ever, because the clock of the tests does not advance.
    let asked = () => {};
    const isAsked = new Promise<void>((resolve) => {
      asked = resolve;
    });
    service.sfu.answer = () => {
      asked();
      throw new SfuError('rpc_no_reply', 'The participant did not answer in time.');
    };
    const leaving = new AbortController();
    const command = call(`/v1/robots/${id}/session/command`, {
      method: 'POST',
      body: '{"skill": "go_to"}',
      signal: leaving.signal,
    });
    await isAsked;
    leaving.abort();
    await expect(command).rejects.toThrow();
    const entryOf = () => log.find((entry) => entry.route === '/v1/robots/{robot_id}/session/command');
    await expect.poll(entryOf, PATIENTLY).toMatchObject({ level: 'info', status: 499, code: 'client.gone' });
    expect(log.filter((entry) => entry.event === 'unforeseen_error')).toEqual([]);
  });
});

describe('closing', () => {
  it('closing lets running requests finish, announces it to their callers, and accepts nothing new', async () => {
    await open();
    const id = await createRobot();
    const release = service.sfu.hang();
    const idle = await dial();
    const busy = await dial();
    busy.write(head('POST', `/v1/robots/${id}/session`, ['Content-Length: 0']));
    const answer = text(busy);
    await expect.poll(() => service.sfu.waiting, PATIENTLY).toBe(1);
    const closed = http.close();
    expect(await text(idle)).toBe('');
    await expect(call('/v1/robots')).rejects.toThrow();
    release();
    expect(readAnswer(await answer)).toMatchObject({ status: 503, closes: true });
    await closed;
    await http.close();
  });

  it('closing does not wait for WebSockets, such as those of a dev server, nor for half-received requests', async () => {
    await open({ drainTimeoutMs: 600_000 });
    http.server.on('upgrade', (_, socket) => socket.write('HTTP/1.1 101 Switching Protocols\r\n\r\n'));
    const webSocket = await dial();
    webSocket.write(head('GET', '/', ['Connection: Upgrade', 'Upgrade: websocket']));
    await once(webSocket, 'data');
    const half = await dial();
    half.write('GET /v1/robots HTTP/1.1\r\n');
    const ends = [webSocket, half].map((socket) => new Promise((resolve) => socket.once('close', resolve)));
    await http.close();
    await Promise.all(ends);
  });

  it('closing does not wait for ever', async () => {
    await open({ drainTimeoutMs: 50 });
    const id = await createRobot();
    const release = service.sfu.hang();
    const busy = await dial();
    busy.write(head('POST', `/v1/robots/${id}/session`, ['Content-Length: 0']));
    await expect.poll(() => service.sfu.waiting, PATIENTLY).toBe(1);
    await http.close();
    expect(await text(busy)).toBe('');
    release();
  });
});
