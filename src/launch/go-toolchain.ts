import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { openPromise } from 'yauzl';
import { type DownloadLimits, download } from './download.ts';
import type { OnProgress } from './output.ts';

/**
 * The Go with which this project builds its SFU: archives of the Go module proxy, by Node's names of platform and architecture.
 */
export interface GoArchives {
  /** E.g. `1.26.8`. */
  version: string;
  archives: Readonly<Record<string, { /** Go's name of the platform, e.g. `linux-amd64`. */ name: string; sha256: string }>>;
}

const PUBLIC_PROXY = 'https://proxy.golang.org';
/** Long, because this is the last way to get an SFU. */
const LIMITS: DownloadLimits = { answerMs: 30_000, pieceMs: 30_000 };
/** Archives of modules do not mark files as executable. */
const PROGRAM_MODE = 0o755;
const FILE_MODE = 0o644;
const IS_PROGRAM = /^(bin|pkg\/tool\/[^/]+)\/[^/]+$/;

/**
 * Fetches Go from the module proxy into a folder.
 * @param env GOPROXY names another proxy; `off` forbids the download, as in Go itself
 * @returns the path of its `go` @throws If no archive exists for this machine, the proxy cannot be reached, or the archive does
 * not match the pinned checksum; the message names the cause.
 */
export async function fetchGo(
  { version, archives }: GoArchives,
  folder: string,
  env: NodeJS.ProcessEnv,
  onProgress: OnProgress,
): Promise<string> {
  const archive = archives[`${process.platform}-${process.arch}`];
  if (!archive) throw new Error(`The Go module proxy has no Go for ${process.platform} on ${process.arch}.`);
  const proxy = proxyOf(env.GOPROXY);
  if (proxy === null) throw new Error('GOPROXY forbids fetching Go from a module proxy.');
  const file = `v0.0.1-go${version}.${archive.name}.zip`;
  const zip = join(folder, file);
  await mkdir(folder, { recursive: true });
  const url = `${proxy}/golang.org/toolchain/@v/${file}`;
  await download({ url, sha256: archive.sha256, title: `Downloading Go ${version}` }, zip, onProgress, LIMITS);
  onProgress('Unpacking Go');
  await unpack(zip, folder);
  await rm(zip);
  return join(folder, 'bin', 'go');
}

/** Returns the first proxy of a list, as Go chooses it; null if no proxy can be used. */
function proxyOf(setting: string | undefined): string | null {
  if (!setting) return PUBLIC_PROXY;
  const proxy = setting.split(/[,|]/).find((entry) => /^https?:/.test(entry));
  return proxy?.replace(/\/+$/, '') ?? null;
}

/** Extracts the module's folder of the archive into this folder. The library rejects names that lead out of it. */
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
