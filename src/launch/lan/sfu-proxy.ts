import { type IncomingHttpHeaders, type IncomingMessage, request, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { NodeHandler } from '../http-server.ts';

/** Forwards participants to the SFU on the loopback address, and gives access to nothing else of it. */
export interface SfuProxy {
  /** Returns the handler of a question about a token; null for other requests. */
  handlerFor(request: IncomingMessage): NodeHandler | null;
  /** Takes a request that wants to become a WebSocket. */
  upgrade(request: IncomingMessage, socket: Duplex): void;
}

/** The address where participants join. The SFU has others beside it: its server calls, agents. */
const JOIN = /^\/rtc(?:\/v1)?(?:\?|$)/;
/** The address where a browser asks why it was refused. */
const VALIDATE = /^\/rtc(?:\/v1)?\/validate(?:\?|$)/;
/** The SFU is on this machine; one that is this slow is stuck. */
const ANSWER_WITHIN_MS = 10_000;
/** How long the last bytes to one side may take when the other side has ended. */
const END_WITHIN_MS = 5_000;
/** A phone that left the network sends nothing any more. */
const KEEP_ALIVE_MS = 30_000;
/** The caller must not state who forwarded its request, or the SFU would believe it. */
const NOT_PASSED_ON = /^(?:forwarded|x-forwarded-.*|x-real-ip)$/;

/** @param sfuUrl address of the SFU, `http://…`; null as long as it is not up */
export function createSfuProxy(sfuUrl: () => string | null): SfuProxy {
  /** Addresses hold tokens: no error and no log has them. */
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
      // The socket's end shows the result.
      socket.on('error', () => socket.destroy());
      if (!JOIN.test(asked.url ?? '')) return refuseUpgrade(socket, 404);
      const url = sfuUrl();
      if (url === null) return refuseUpgrade(socket, 503);
      const question = ask(asked, url);
      // Read from the start, or its end would go unnoticed; before it is let in, it has nothing to send.
      const giveUp = () => socket.destroy();
      for (const event of ['data', 'end'] as const) socket.once(event, giveUp);
      const forget = () => question.destroy();
      socket.once('close', forget);
      question.once('timeout', () => question.destroy(new Error('timeout')));
      question.once('error', () => refuseUpgrade(socket, 503));
      question.once('response', (answer) => {
        socket.write(headText(answer));
        answer.pipe(socket);
        // A refused caller that stays would keep a place that others need.
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

/** Lets both sides talk: neither sends faster than the other takes, and the end of one is the end of both. */
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

/** Sends the last bytes; a side that does not take them is cut off. */
function endSoon(socket: Socket): void {
  socket.destroySoon();
  socket.setTimeout(END_WITHIN_MS, () => socket.destroy());
}

function passedOn(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !NOT_PASSED_ON.test(name)));
}

/** Returns an answer's head unchanged, except for the connection headers where it becomes no WebSocket. */
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

/** Ends a connection that was to become a WebSocket with a status. */
export function refuseUpgrade(socket: Duplex, status: number): void {
  if (!socket.writable) return void socket.destroy();
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`, () =>
    socket.destroy(),
  );
}
