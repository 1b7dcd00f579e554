/** A server on this machine in place of LiveKit's releases or the Go module proxy, and an archive in place of theirs. */
import { createHash } from 'node:crypto';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createTarGzip } from 'nanotar';

/** Represents the server program. Random text after it makes the archive large, so that a download has a middle. */
export const SCRIPT = '#!/bin/sh\necho "stand-in"\n';

export const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Returns an archive as LiveKit's releases have it. */
export async function tarOf(script = SCRIPT, names: readonly string[] = ['LICENSE', 'livekit-server']): Promise<Buffer> {
  const files = names.map((name) => ({ name, data: name === 'LICENSE' ? 'a licence' : script, attrs: { mode: '755' } }));
  return Buffer.from(await createTarGzip(files));
}

export interface StandIn {
  url: string;
  /** Paths in the order of the requests. */
  asked: string[];
  close(): Promise<void>;
}

export async function startStandIn(answer: RequestListener): Promise<StandIn> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    close: async () => {
      server.closeAllConnections();
      await new Promise<void>((closed) => server.close(() => closed()));
    },
  };
}

/** Answers with the first half, then with nothing. */
export const sendHalf =
  (bytes: Buffer): RequestListener =>
  (_request, response) => {
    response.writeHead(200, { 'content-length': String(bytes.length) });
    response.write(bytes.subarray(0, bytes.length / 2));
  };
