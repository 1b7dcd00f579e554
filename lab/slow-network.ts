import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Transform } from 'node:stream';

/** A typical home connection: the download is slow, and the server is some distance away. */
export interface SlowNetwork {
  /** Address of the HTTP proxy that simulates the line. */
  url: string;
  close(): Promise<void>;
}

const CHUNK_BYTES = 16_384;

/**
 * Starts an HTTP proxy that limits the rate of all answers together, in bits per second, and delays each request by a round trip.
 * Plain HTTP only: it makes no tunnels.
 */
export async function startSlowNetwork({
  bitsPerS,
  roundTripMs,
}: {
  bitsPerS: number;
  roundTripMs: number;
}): Promise<SlowNetwork> {
  const bytesPerMs = bitsPerS / 8_000;
  let freeAtMs = 0;
  /** Resolves when this many more bytes have come down the line. */
  const carry = (bytes: number): Promise<void> => {
    const nowMs = performance.now();
    freeAtMs = Math.max(nowMs, freeAtMs) + bytes / bytesPerMs;
    return new Promise((resolve) => setTimeout(resolve, freeAtMs - nowMs));
  };
  const throttle = (): Transform =>
    new Transform({
      async transform(bytes: Buffer, _encoding, done) {
        for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
          const chunk = bytes.subarray(at, at + CHUNK_BYTES);
          await carry(chunk.length);
          this.push(chunk);
        }
        done();
      },
    });
  const proxy = createServer((asked, answer) => {
    const { method, headers, url = '' } = asked;
    setTimeout(() => {
      const onward = request(url, { method, headers }, (answered) => {
        answer.writeHead(answered.statusCode ?? 502, answered.headers);
        answered.pipe(throttle()).pipe(answer);
      });
      onward.on('error', () => answer.destroy());
      asked.pipe(onward);
    }, roundTripMs);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        proxy.close(() => resolve());
        proxy.closeAllConnections();
      }),
  };
}
