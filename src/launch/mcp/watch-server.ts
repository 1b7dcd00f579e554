/** The page on which people watch an agent's robot: files and one stream, for browsers of this machine. Nothing moves the robot. */
import { Buffer } from 'node:buffer';
import { existsSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { Hono } from 'hono';
import { AGENT_PAGE, AGENT_STREAM, type AgentStreamEvents } from '../../protocol/service/agent-watch.ts';
import type { WatcherUpdate } from '../../protocol/world-stream/audience.ts';
import type { WorldPacket } from '../../protocol/world-stream/world-frame.ts';
import { HTTP_HOST, type NodeHandler, openHttpServer } from '../http-server.ts';
import { ownPolicyText } from '../page-policy.ts';
import { PAGE_HEADERS, staticFile } from '../static-files.ts';

export interface WatchServerOptions {
  /** 0 takes a free port. */
  port: number;
  /** The folder of the built page. */
  dir: string;
  /** Returns what a new page must know before the first packet. */
  greeting(): StreamEvent[];
  onWatchers(update: WatcherUpdate): void;
  /** @default 32 */
  watchersMax?: number;
}

export type StreamEvent = {
  [Name in keyof AgentStreamEvents]: { name: Name; data: AgentStreamEvents[Name] };
}[keyof AgentStreamEvents];

export interface WatchServer {
  /** The address of the page. */
  readonly url: string;
  /** Sends an event to every page. */
  report(event: Exclude<StreamEvent, { name: 'packet' }>): void;
  /** Sends packets of the world to the pages that keep up; the others miss them. */
  sendWorld(packets: readonly WorldPacket[]): void;
  /** Notifies every page of the end, and closes. */
  close(): Promise<void>;
}

const WATCHERS_MAX = 32;
const CONNECTIONS_MAX = 200;
const DRAIN_MS = 500;
/** A page with so much unread does not keep up: it misses packets of the world until it has read them. */
const UNREAD_MAX_BYTES = 64 * 1_024;
/** A page with so much unread has stopped reading, and must connect again. */
const UNREAD_LIMIT_BYTES = 4 * 1_024 * 1_024;
/** Shows both ends that the connection is alive. */
const BEAT_EVERY_MS = 10_000;
const FILES = /^\/(?:agent\.html|favicon\.svg|third-party-notices\.txt|assets\/[\w.-]+)$/;
const NOT_BUILT = 'The page that shows the robot is not built: npm run build. Then start this again.';
const TOO_MANY = 'Too many pages watch this robot. Close one of them.';

/** Opens the port. @throws Error if the page is not built, or if the port is busy */
export async function openWatchServer({
  port,
  dir,
  greeting,
  onWatchers,
  watchersMax = WATCHERS_MAX,
}: WatchServerOptions): Promise<WatchServer> {
  if (!existsSync(join(dir, AGENT_PAGE))) throw new Error(NOT_BUILT);
  const pages = new Set<ServerResponse>();
  let hosts: ReadonlySet<string> = new Set();
  const app = new Hono();
  app.get('*', async (c) => {
    if (c.req.path === '/') return c.redirect(`./${AGENT_PAGE}`, 302);
    const file = FILES.test(c.req.path) ? await staticFile(c, dir, "'none'") : null;
    if (file === null) return c.text('This address does not exist.', 404, PAGE_HEADERS);
    file.headers.set('Content-Security-Policy', ownPolicyText());
    return file;
  });

  const refuse =
    (status: number, message: string, headers: Record<string, string> = {}): NodeHandler =>
    (_request, response) => {
      response
        .writeHead(status, { ...PAGE_HEADERS, ...headers, 'Content-Type': 'text/plain; charset=utf-8' })
        .end(`${message}\n`);
    };

  /** A site of another name that resolves to this machine must not read the stream, and another origin must not either. */
  function handlerFor(request: IncomingMessage): NodeHandler | null {
    const { host = '', origin } = request.headers;
    const site = request.headers['sec-fetch-site'];
    if (!hosts.has(host)) return refuse(403, 'This page is only for the address that the command printed.');
    if (origin !== undefined && origin !== `http://${host}`) return refuse(403, 'Pages of other sites cannot read this.');
    const isStream = request.url?.split('?')[0] === `/${AGENT_STREAM}`;
    if (isStream && site !== undefined && site !== 'same-origin') return refuse(403, 'Pages of other sites cannot read this.');
    if (request.method !== 'GET') return refuse(405, 'This page only shows the robot.', { Allow: 'GET' });
    return isStream ? openStream : null;
  }

  function openStream(request: IncomingMessage, response: ServerResponse): void {
    if (pages.size >= watchersMax) {
      refuse(503, TOO_MANY)(request, response);
      return;
    }
    response.writeHead(200, {
      ...PAGE_HEADERS,
      'Content-Type': 'text/event-stream',
      'Cache-Control': 'no-store',
      'Cross-Origin-Resource-Policy': 'same-origin',
    });
    response.once('close', () => {
      pages.delete(response);
      onWatchers({ present: pages.size > 0, isNew: false, isComing: false });
    });
    pages.add(response);
    for (const event of greeting()) response.write(textOf(event));
    onWatchers({ present: true, isNew: true, isComing: false });
  }

  const http = await openHttpServer(port, app, handlerFor, {
    host: HTTP_HOST,
    portSetting: '--watch',
    // The process must end soon after its client, also if a page does not read.
    limits: { connectionsMax: CONNECTIONS_MAX, drainTimeoutMs: DRAIN_MS },
  });
  hosts = new Set([`127.0.0.1:${http.port}`, `localhost:${http.port}`]);

  function send(page: ServerResponse, text: string): void {
    if (page.writableLength > UNREAD_LIMIT_BYTES) page.destroy();
    else page.write(text);
  }
  const beat = setInterval(() => {
    for (const page of pages) send(page, ':\n\n');
  }, BEAT_EVERY_MS).unref();

  return {
    url: `http://127.0.0.1:${http.port}/${AGENT_PAGE}`,
    report(event) {
      const text = textOf(event);
      for (const page of pages) send(page, text);
    },
    sendWorld(packets) {
      if (pages.size === 0) return;
      const text = packets.map((packet) => textOf({ name: 'packet', data: Buffer.from(packet).toString('base64') })).join('');
      for (const page of pages) if (page.writableLength < UNREAD_MAX_BYTES) page.write(text);
    },
    async close() {
      clearInterval(beat);
      for (const page of pages) page.end(textOf({ name: 'end', data: null }));
      await http.close();
    },
  };
}

/** Base64 has no line ends, and JSON escapes them. */
const textOf = ({ name, data }: StreamEvent): string =>
  `event: ${name}\ndata: ${name === 'packet' ? data : JSON.stringify(data)}\n\n`;
