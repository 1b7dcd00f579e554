import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { basename } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { OnProgress } from './output.ts';

/** A file that a server must deliver byte for byte. */
export interface PinnedDownload {
  /** Its last part is the file's name in messages. */
  url: string;
  /** In hex. */
  sha256: string;
  /** The start of each progress line, e.g. `Downloading Go 1.26.8`. */
  title: string;
}

/** How long a server may take. */
export interface DownloadLimits {
  /** From the first byte sent to the headers of the last redirect's answer. */
  answerMs: number;
  /** For each further `PIECE_BYTES`, so that a very slow server counts as stuck too. */
  pieceMs: number;
}

const PIECE_BYTES = 64_000;
/** Several times the size of the largest file, so that an endless answer does not fill the disk. */
const MAX_BYTES = 300_000_000;
const PROGRESS_EVERY_MS = 250;

const LIMITS: DownloadLimits = { answerMs: 4_000, pieceMs: 10_000 };

/**
 * Downloads a file and verifies its SHA-256. Do not trust the file at `path` until this resolves.
 * @param path A file in a folder that the caller removes if this rejects.
 * @throws With one sentence that names the file, the server's origin and the reason.
 */
export async function download(
  { url, sha256, title }: PinnedDownload,
  path: string,
  onProgress: OnProgress,
  limits: DownloadLimits = LIMITS,
): Promise<void> {
  const { origin, pathname } = new URL(url);
  const file = basename(pathname);
  onProgress(`${title} from ${origin}`);
  const sum = await receive(url, path, limits, (megabytes) => onProgress(`${title}: ${megabytes}`, true)).catch(
    (error: unknown) => {
      throw new Error(`${file} cannot be downloaded from ${origin}: ${reasonOf(error)}.`);
    },
  );
  if (sum !== sha256) throw new Error(`${file} from ${origin} has the wrong SHA-256: expected ${sha256}, got ${sum}.`);
}

/** @returns the SHA-256 of the received bytes, in hex */
async function receive(url: string, path: string, limits: DownloadLimits, onMegabytes: (text: string) => void): Promise<string> {
  const stop = new AbortController();
  const stopAfter = (limitMs: number, reason: string): NodeJS.Timeout =>
    setTimeout(() => stop.abort(new Error(`${reason} within ${limitMs / 1_000} s`)), limitMs);
  let limit = stopAfter(limits.answerMs, 'no answer');
  let progress: NodeJS.Timeout | undefined;
  try {
    // The unmodified bytes of the file: the checksum is of the packed archive.
    const response = await fetch(url, { signal: stop.signal, headers: { 'accept-encoding': 'identity' } });
    if (!response.ok || !response.body) throw new Error(`HTTP status ${response.status}`);
    const whole = megabytesOf(Number(response.headers.get('content-length')));
    const hash = createHash('sha256');
    let receivedBytes = 0;
    let pieceBytes = PIECE_BYTES;
    const watch = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        receivedBytes += chunk.length;
        pieceBytes += chunk.length;
        if (receivedBytes > MAX_BYTES) return done(new Error(`it is larger than ${megabytesOf(MAX_BYTES)} MB`));
        if (pieceBytes >= PIECE_BYTES) nextPiece();
        hash.update(chunk);
        done(null, chunk);
      },
    });
    const nextPiece = (): void => {
      pieceBytes = 0;
      clearTimeout(limit);
      limit = stopAfter(limits.pieceMs, `less than ${PIECE_BYTES / 1_000} kB arrived`);
    };
    nextPiece();
    progress = setInterval(() => onMegabytes(`${megabytesOf(receivedBytes)} of ${whole} MB`), PROGRESS_EVERY_MS);
    await pipeline(Readable.fromWeb(response.body), watch, createWriteStream(path));
    return hash.digest('hex');
  } finally {
    clearTimeout(limit);
    clearInterval(progress);
    // Closes the connection of an unread answer.
    stop.abort();
  }
}

/** Returns `?` for an unknown size. */
const megabytesOf = (bytes: number): string => (bytes > 0 ? (bytes / 1_000_000).toFixed(1) : '?');

/** Returns why `fetch` failed; its own message is only "fetch failed". */
function reasonOf(error: unknown): string {
  const { message, cause } = error instanceof Error ? error : new Error(String(error));
  if (!(cause instanceof Error)) return message;
  // If several addresses refuse the connection, the error has no message.
  return cause.message || ('code' in cause ? String(cause.code) : message);
}
