import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { openPromise } from 'yauzl';

/** The Go that this project builds its SFU with: archives of the Go module proxy, by Node's names of platform and architecture. */
export interface GoArchives {
  /** E.g. `1.26.8`. */
  version: string;
  archives: Readonly<Record<string, { /** As Go calls the platform, e.g. `linux-amd64`. */ name: string; sha256: string }>>;
}

const PUBLIC_PROXY = 'https://proxy.golang.org';
/** A proxy that sends nothing for this long counts as stuck. */
const STALLED_AFTER_MS = 30_000;
const PROGRESS_EVERY_MS = 5_000;
const MEGABYTE = 1_000_000;
/** Archives of modules say of no file that it is a program. */
const PROGRAM_MODE = 0o755;
const FILE_MODE = 0o644;
const IS_PROGRAM = /^(bin|pkg\/tool\/[^/]+)\/[^/]+$/;

/**
 * Fetches Go from the module proxy into a folder.
 * @param env GOPROXY names another proxy; `off` forbids it, as it does for Go itself
 * @returns the path of its `go`
 * @throws When there is none for this machine, the proxy cannot be reached, or what it sent is not what was pinned; the message says which.
 */
export async function fetchGo(
  { version, archives }: GoArchives,
  folder: string,
  env: NodeJS.ProcessEnv,
  onProgress: (line: string) => void,
): Promise<string> {
  const archive = archives[`${process.platform}-${process.arch}`];
  if (!archive) throw new Error(`The Go module proxy has no Go for ${process.platform} on ${process.arch}.`);
  const proxy = proxyOf(env.GOPROXY);
  if (proxy === null) throw new Error('GOPROXY forbids fetching Go from a module proxy.');
  const file = `v0.0.1-go${version}.${archive.name}.zip`;
  const zip = join(folder, file);
  await mkdir(folder, { recursive: true });
  const sum = await download(`${proxy}/golang.org/toolchain/@v/${file}`, zip, onProgress);
  if (sum !== archive.sha256) {
    throw new Error(`${proxy} sent a Go that is not the one this project names: its SHA-256 is ${sum}, not ${archive.sha256}.`);
  }
  onProgress('Go is fetched; unpacking it');
  await unpack(zip, folder);
  await rm(zip);
  return join(folder, 'bin', 'go');
}

/** Returns the first proxy of a list as Go takes it; null when none of them can be asked. */
function proxyOf(setting: string | undefined): string | null {
  if (!setting) return PUBLIC_PROXY;
  const proxy = setting.split(/[,|]/).find((entry) => /^https?:/.test(entry));
  return proxy?.replace(/\/+$/, '') ?? null;
}

/** @returns the SHA-256 of the download, in hex */
async function download(url: string, path: string, onProgress: (line: string) => void): Promise<string> {
  const stalled = new AbortController();
  const stall = (): NodeJS.Timeout => setTimeout(() => stalled.abort(), STALLED_AFTER_MS);
  let timer = stall();
  let receivedBytes = 0;
  let whole = '';
  const progress = setInterval(() => {
    onProgress(`Fetching Go, for there is none on this machine: ${Math.round(receivedBytes / MEGABYTE)}${whole} MB`);
  }, PROGRESS_EVERY_MS);
  const hash = createHash('sha256');
  const count = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      clearTimeout(timer);
      timer = stall();
      receivedBytes += chunk.length;
      hash.update(chunk);
      done(null, chunk);
    },
  });
  try {
    const response = await fetch(url, { signal: stalled.signal });
    if (!response.ok || !response.body) throw new Error(`it answers with HTTP status ${response.status}`);
    const wholeBytes = Number(response.headers.get('content-length'));
    if (wholeBytes > 0) whole = ` of ${Math.round(wholeBytes / MEGABYTE)}`;
    await pipeline(Readable.fromWeb(response.body), count, createWriteStream(path));
    return hash.digest('hex');
  } catch (error) {
    throw new Error(`Go could not be fetched from ${new URL(url).origin}: ${reasonOf(error, stalled.signal.aborted)}.`);
  } finally {
    clearTimeout(timer);
    clearInterval(progress);
  }
}

function reasonOf(error: unknown, hasStalled: boolean): string {
  if (hasStalled) return `it sent nothing for ${STALLED_AFTER_MS / 1_000} s`;
  const { message, cause } = error instanceof Error ? error : new Error(String(error));
  return cause instanceof Error ? cause.message || message : message;
}

/** Extracts the module's folder of the archive into this folder. The library refuses names that lead out of it. */
async function unpack(zip: string, folder: string): Promise<void> {
  const archive = await openPromise(zip);
  try {
    for await (const entry of archive.eachEntry()) {
      if (entry.fileName.endsWith('/')) continue;
      const name = entry.fileName.replace(/^golang\.org\/toolchain@[^/]+\//, '');
      const path = join(folder, name);
      await mkdir(dirname(path), { recursive: true });
      const mode = IS_PROGRAM.test(name) ? PROGRAM_MODE : FILE_MODE;
      await pipeline(await archive.openReadStreamPromise(entry), createWriteStream(path, { mode }));
    }
  } finally {
    archive.close();
  }
}
