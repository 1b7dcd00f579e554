import { type IncomingHttpHeaders, type IncomingMessage, request, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { NodeHandler } from '../http-server.ts';

/** Forwards participants to the SFU on the loopback address, and gives access to no other part of it. */
export interface SfuProxy {
  /** Returns the handler of a query about a token; null for other requests. */
  handlerFor(request: IncomingMessage): NodeHandler | null;
  /** Handles a request to upgrade to a WebSocket. */
  upgrade(request: IncomingMessage, socket: Duplex): void;
}

/** The address where participants join. The SFU also has others: its server calls, and agents. */
const JOIN = /^\/rtc(?:\/v1)?(?:\?|$)/;
/** The address where a browser asks why it was rejected. */
const VALIDATE = /^\/rtc(?:\/v1)?\/validate(?:\?|$)/;
/** The SFU is on this machine. If it takes this long, it is stuck. */
const ANSWER_WITHIN_MS = 10_000;
/** How long the last bytes to one side may take after the other side has ended. */
const END_WITHIN_MS = 5_000;
/** A phone that left the network stops sending. */
const KEEP_ALIVE_MS = 30_000;
/** The caller must not set who forwarded its request, because the SFU would trust it. */
const NOT_PASSED_ON = /^(?:forwarded|x-forwarded-.*|x-real-ip)$/;

/** @param sfuUrl address of the SFU, `http://…`; null until it is up */
export function createSfuProxy(sfuUrl: () => string | null): SfuProxy {
  /** Addresses contain tokens, so no error and no log contains them. */
  const ask = (from: IncomingMessage, url: string) => {
    const { host, hostname, port } = new URL(url);
    const { method, url: path, headers } = from;
    return request({
      hostname,
      port,
      method,
      path,
      headers: { ...passedOn(headers), host },
      timeout: ANSWER_WITHIN_MS,
      agent: false,
    });
  };

  return {
    handlerFor: (asked) => {
      if (!VALIDATE.test(asked.url ?? '') || asked.method !== 'GET') return null;
      return (_, response) => {
        const url = sfuUrl();
        const refuse = () => {
          if (!response.headersSent) response.writeHead(503, { 'Cache-Control': 'no-store' });
          response.end();
        };
        if (url === null) return refuse();
        const question = ask(asked, url);
        question.once('timeout', () => question.destroy());
        question.once('error', refuse);
        question.once('response', (answer) => {
          response.writeHead(answer.statusCode ?? 502, answer.headers);
          answer.pipe(response);
          answer.once('close', () => answer.complete || response.destroy());
        });
        response.once('close', () => question.destroy());
        question.end();
      };
    },

    upgrade: (asked, socket) => {
      // The end of the socket shows the result.
      socket.on('error', () => socket.destroy());
      if (!JOIN.test(asked.url ?? '')) return refuseUpgrade(socket, 404);
      const url = sfuUrl();
      if (url === null) return refuseUpgrade(socket, 503);
      const question = ask(asked, url);
      // Read from the start, otherwise its end would go unnoticed. Before it is accepted, it has nothing to send.
      const giveUp = () => socket.destroy();
      for (const event of ['data', 'end'] as const) socket.once(event, giveUp);
      const forget = () => question.destroy();
      socket.once('close', forget);
      question.once('timeout', () => question.destroy(new Error('timeout')));
      question.once('error', () => refuseUpgrade(socket, 503));
      question.once('response', (answer) => {
        socket.write(headText(answer));
        answer.pipe(socket);
        // A rejected client that stays connected would occupy a place that others need.
        answer.once('close', () => endSoon(socket as Socket));
      });
      question.once('upgrade', (answer, upstream, upstreamHead) => {
        for (const event of ['data', 'end'] as const) socket.off(event, giveUp);
        socket.off('close', forget);
        socket.write(headText(answer));
        if (upstreamHead.length > 0) socket.write(upstreamHead);
        join(socket as Socket, upstream as Socket);
      });
      question.end();
    },
  };
}

/** Connects both sides: neither sends faster than the other reads, and the end of one is the end of both. */
function join(socket: Socket, upstream: Socket): void {
  const both = [socket, upstream] as const;
  const end = () => {
    for (const one of both) endSoon(one);
  };
  for (const one of both) {
    one.setTimeout(0);
    one.setNoDelay(true);
    one.setKeepAlive(true, KEEP_ALIVE_MS);
    one.on('error', () => one.destroy());
    one.once('end', end);
    one.once('close', end);
  }
  socket.pipe(upstream);
  upstream.pipe(socket);
}

/** Sends the last bytes. A side that does not read them is disconnected. */
function endSoon(socket: Socket): void {
  socket.destroySoon();
  socket.setTimeout(END_WITHIN_MS, () => socket.destroy());
}

function passedOn(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !NOT_PASSED_ON.test(name)));
}

/** Returns an answer's headers unchanged, except for the connection headers if it does not become a WebSocket. */
function headText({ statusCode = 502, statusMessage = '', rawHeaders }: IncomingMessage): string {
  const lines = [`HTTP/1.1 ${statusCode} ${statusMessage}`];
  const isJoined = statusCode === 101;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (isJoined || !/^(?:transfer-encoding|connection|keep-alive)$/i.test(name)) lines.push(`${name}: ${rawHeaders[at + 1]}`);
  }
  if (!isJoined) lines.push('Connection: close');
  return `${lines.join('\r\n')}\r\n\r\n`;
}

/** Ends an upgrade request with a status. */
export function refuseUpgrade(socket: Duplex, status: number): void {
  if (!socket.writable) return void socket.destroy();
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`, () =>
    socket.destroy(),
  );
}
