import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Transform } from 'node:stream';

/** A line as many people have it: what comes down is slow, and the server is some way off. */
export interface SlowLine {
  /** Of the HTTP proxy that is the line. */
  url: string;
  close(): Promise<void>;
}

const CHUNK_BYTES = 16_384;

/**
 * Starts an HTTP proxy that lets through so many bits a second, of all answers together, and a round trip after each question. Requests of
 * HTTP alone: it makes no tunnels.
 */
export async function startSlowLine({ bitsPerS, roundTripMs }: { bitsPerS: number; roundTripMs: number }): Promise<SlowLine> {
  const bytesPerMs = bitsPerS / 8_000;
  let freeAtMs = 0;
  /** Resolves when so many more bytes have come down the line. */
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
