/** The connection from a phone to the SFU: what is forwarded, how fast, and how it ends. The SFU is one of this test. */
import { once } from 'node:events';
import { createServer, get as httpGet, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createSfuProxy } from '../../../src/launch/lan/sfu-proxy.ts';
import { waitUntil } from '../helpers/processes.ts';

let sfu: Server;
let front: Server;
let sfuUrl: string | null;
/** The requests that reached the SFU and want to become a WebSocket. */
let arrivals: { request: IncomingMessage; socket: Socket }[] = [];
const sockets = new Set<Socket>();
/** The SFU’s answer to a request for one; null for no answer. */
let answer: string | null;

const ACCEPTED = 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n';

const portOf = (server: Server) => (server.address() as AddressInfo).port;
const listen = async (server: Server) => {
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
};

beforeAll(async () => {
  sfu = createServer((request, response) => {
    response.writeHead(401, { 'Content-Type': 'text/plain' });
    if (request.url?.endsWith('?half')) return void response.write('no', () => response.destroy());
    response.end(`no: ${request.url} ${JSON.stringify(request.headers)}`);
  });
  sfu.on('upgrade', (request, socket) => {
    arrivals.push({ request, socket: socket as Socket });
    socket.on('end', () => socket.destroy());
    if (answer !== null) socket.write(answer);
  });
  const proxy = createSfuProxy(() => sfuUrl);
  front = createServer((request, response) => {
    const handler = proxy.handlerFor(request);
    if (handler) handler(request, response);
    else response.writeHead(418).end();
  });
  front.on('upgrade', proxy.upgrade);
  await listen(sfu);
  await listen(front);
});
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  sockets.clear();
  arrivals = [];
});
afterAll(() => {
  front.close();
  sfu.close();
});

const reset = () => {
  sfuUrl = `http://127.0.0.1:${portOf(sfu)}`;
  answer = ACCEPTED;
};
beforeAll(reset);
afterEach(reset);

/** Requests a WebSocket and returns the connection, with the first answer. */
async function ask(path: string, more = ''): Promise<{ socket: Socket; said: Promise<string> }> {
  const socket = connect(portOf(front), '127.0.0.1');
  sockets.add(socket);
  socket.on('error', () => {});
  socket.write(`GET ${path} HTTP/1.1\r\nHost: phone.test\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n${more}\r\n`);
  const said = new Promise<string>((done) => {
    let all = '';
    socket.on('data', (bytes) => {
      all += bytes;
      if (all.includes('\r\n\r\n')) done(all);
    });
    socket.once('close', () => done(all));
  });
  return { socket, said };
}

describe('a participant that joins', () => {
  it.each(['/rtc?access_token=a.b.c', '/rtc/v1?join_request=x', '/rtc'])(
    'a joining participant is led to the SFU: %s',
    async (path) => {
      const { socket, said } = await ask(path, 'Sec-WebSocket-Key: k\r\nX-Forwarded-For: 1.2.3.4\r\n');
      expect(await said).toBe(ACCEPTED);
      const [arrived] = arrivals;
      expect(arrived?.request.url).toBe(path);
      expect(arrived?.request.headers).toMatchObject({ 'sec-websocket-key': 'k', host: `127.0.0.1:${portOf(sfu)}` });
      // Requests cannot claim another sender address.
      expect(arrived?.request.headers).not.toHaveProperty('x-forwarded-for');
      const heard = once(arrived?.socket ?? socket, 'data');
      socket.write('from the phone');
      expect(String((await heard)[0])).toBe('from the phone');
      const back = once(socket, 'data');
      arrived?.socket.write('from the room');
      expect(String((await back)[0])).toBe('from the room');
    },
  );

  it.each([
    '/',
    '/agent',
    '/twirp/livekit.RoomService/ListRooms',
    '/rtc/../agent',
    '/rtc/v2',
    '/rtcx',
    '//rtc',
    '/%72tc',
    'http://a/rtc',
  ])('a joining participant reaches nothing else of the SFU: %s', async (path) => {
    const { said } = await ask(path);
    expect(await said).toMatch(/^HTTP\/1\.1 404 /);
    expect(arrivals).toEqual([]);
  });

  it('a joining participant gets the answer of the SFU when the SFU rejects them', async () => {
    answer = 'HTTP/1.1 401 Unauthorized\r\nContent-Length: 8\r\nKeep-Alive: timeout=5\r\n\r\nno token';
    const { socket, said } = await ask('/rtc');
    await once(socket, 'close');
    expect(await said).toBe('HTTP/1.1 401 Unauthorized\r\nContent-Length: 8\r\nConnection: close\r\n\r\nno token');
  });

  it.each([
    ['is not up yet', () => (sfuUrl = null)],
    ['is gone', () => (sfuUrl = 'http://127.0.0.1:9')],
  ])('a joining participant is asked to retry while the SFU %s', async (_, make) => {
    make();
    const { socket, said } = await ask('/rtc');
    expect(await said).toMatch(/^HTTP\/1\.1 503 /);
    await once(socket, 'close').catch(() => {});
  });

  it('a rejected participant that stays keeps no connection here', async () => {
    answer = 'HTTP/1.1 401 Unauthorized\r\nContent-Length: 8\r\n\r\nno token';
    const accepted = once(front, 'connection') as Promise<[Socket]>;
    const phone = connect({ port: portOf(front), host: '127.0.0.1', allowHalfOpen: true });
    sockets.add(phone);
    phone.write('GET /rtc HTTP/1.1\r\nHost: phone.test\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n');
    const [here] = await accepted;
    const gone = once(here, 'close');
    phone.resume();
    await once(phone, 'end');
    expect(phone.writable).toBe(true);
    await gone;
  });

  it('a joining participant is disconnected when the SFU ends in the middle of its answer', async () => {
    answer = 'HTTP/1.1 401 Unauthorized\r\nContent-Length: 800\r\n\r\nno tok';
    const { socket, said } = await ask('/rtc');
    expect(await said).toMatch(/^HTTP\/1\.1 401 /);
    arrivals[0]?.socket.destroy();
    await once(socket, 'close');
  });

  it('a participant that leaves before it is admitted leaves nothing behind at the SFU', async () => {
    answer = null;
    const { socket } = await ask('/rtc');
    await waitUntil(() => arrivals.length === 1, 'the request to arrive');
    arrivals[0]?.socket.resume();
    const gone = once(arrivals[0]?.socket ?? socket, 'close');
    socket.destroy();
    await gone;
  });
});

describe('a joined connection', () => {
  const joined = async () => {
    const { socket, said } = await ask('/rtc');
    await said;
    const [arrived] = arrivals;
    if (!arrived) throw new Error('nothing came');
    return { phone: socket, room: arrived.socket };
  };

  it('a joined connection closes at both ends, whichever closes first, after all data was delivered', async () => {
    const first = await joined();
    let heard = 0;
    first.phone.on('data', (bytes) => {
      heard += bytes.length;
    });
    first.room.end(Buffer.alloc(3_000_000));
    await once(first.phone, 'close');
    expect(heard).toBe(3_000_000);

    arrivals = [];
    const second = await joined();
    second.room.resume();
    const gone = once(second.room, 'close');
    second.phone.destroy();
    await gone;
  });

  it('a joined connection is cut at both ends when one is reset', async () => {
    const { phone, room } = await joined();
    const gone = once(phone, 'close');
    room.resetAndDestroy();
    await gone;
  });

  it('a joined connection reads no more from one side than the other side accepts', async () => {
    const { phone, room } = await joined();
    phone.pause();
    const chunk = Buffer.alloc(65_536);
    let taken = 0;
    // The system keeps at most a few megabytes of a stream in transit.
    while (taken < 64_000_000 && room.write(chunk)) taken += chunk.length;
    for (let more = true; more && taken < 64_000_000; ) {
      more = await Promise.race([
        once(room, 'drain').then(() => true),
        new Promise<false>((done) => setTimeout(done, 300, false)),
      ]);
      while (more && room.write(chunk) && taken < 64_000_000) taken += chunk.length;
    }
    expect(taken).toBeLessThan(32_000_000);
    phone.resume();
    await once(room, 'drain');
  });
});

describe('a browser that asks for the reason', () => {
  const ask = async (path: string, method = 'GET'): Promise<[status: number, text: string]> => {
    const asked = httpGet({ port: portOf(front), host: '127.0.0.1', path, method, agent: false });
    const [answered] = (await once(asked, 'response')) as [IncomingMessage];
    return [answered.statusCode ?? 0, await text(answered)];
  };

  it('a browser that asks for the reason gets the answer of the SFU', async () => {
    const [status, said] = await ask('/rtc/v1/validate?access_token=t');
    expect(status).toBe(401);
    expect(said).toMatch(/^no: \/rtc\/v1\/validate\?access_token=t /);
  });

  it('a browser that asks for the reason is disconnected when the SFU ends in the middle of its answer', async () => {
    const asked = httpGet({ port: portOf(front), host: '127.0.0.1', path: '/rtc/validate?half', agent: false });
    const [answered] = (await once(asked, 'response')) as [IncomingMessage];
    await expect(text(answered)).rejects.toThrow('aborted');
  });

  it('a browser that asks for the reason cannot ask anything else', async () => {
    for (const path of ['/rtc', '/', '/rtc/validate/../../twirp']) expect((await ask(path))[0], path).toBe(418);
    expect((await ask('/rtc/validate', 'POST'))[0]).toBe(418);
  });

  it('a browser that asks for the reason is asked to retry while the SFU is gone', async () => {
    sfuUrl = 'http://127.0.0.1:9';
    expect(await ask('/rtc/validate')).toEqual([503, '']);
  });
});
