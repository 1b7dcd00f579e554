import { createWriteStream } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { parseTar } from 'nanotar';
import { openPromise } from 'yauzl';
import { thrownText } from '../control-service/thrown.ts';
import { type DownloadLimits, download } from './download.ts';
import type { OnProgress } from './output.ts';
import { SERVER } from './sfu-files.ts';

/** The archives of a LiveKit release, by Node's names of platform and architecture. */
export type ReleaseArchives = Readonly<Record<string, { name: string; sha256: string }>>;

export interface Release {
  /** E.g. `1.13.5`. */
  version: string;
  archives: ReleaseArchives;
  /** The result of `downloadsUrl`. */
  baseUrl: string | null;
  /** Limits of the download. @default those of `download` */
  limits?: DownloadLimits | undefined;
}

const GITHUB = 'https://github.com/livekit/livekit/releases/download';
const PROGRAM_MODE = 0o755;
/** Somewhat larger than a server, so that it is unpacked in one piece; joining pieces would need twice the memory. */
const UNPACKED_BYTES = 64 * 1_024 * 1_024;

/**
 * Downloads this machine's archive of a release and extracts the server into a folder.
 * @returns the path of the server, whose archive had the pinned SHA-256
 * @throws With one sentence that names the reason.
 */
export async function fetchRelease(release: Release, folder: string, onProgress: OnProgress): Promise<string> {
  const { version, archives, baseUrl, limits } = release;
  if (baseUrl === null) throw new Error('SIMPLESIM_SFU_DOWNLOADS is empty, so no release of LiveKit is downloaded.');
  const archive = archives[`${process.platform}-${process.arch}`];
  if (!archive) throw new Error(noArchiveText(process.platform, process.arch));
  const { name, sha256 } = archive;
  const path = join(folder, name);
  await download(
    { url: `${baseUrl}/v${version}/${name}`, sha256, title: `Downloading LiveKit server ${version}` },
    path,
    onProgress,
    limits,
  );
  onProgress(`LiveKit server ${version} is downloaded`);
  const server = join(folder, SERVER);
  const extract = name.endsWith('.zip') ? extractFromZip : extractFromTar;
  const isFound = await extract(path, server).catch((error: unknown) => {
    throw new Error(`${name} cannot be unpacked: ${thrownText(error).replace(/\.$/, '')}.`);
  });
  if (!isFound) throw new Error(`${name} does not contain ${SERVER}.`);
  return server;
}

/**
 * Returns the address to which a release's version and file name are appended.
 * @param setting SIMPLESIM_SFU_DOWNLOADS: undefined for LiveKit's own releases, empty for no download (null)
 * @throws If the setting is not the address of a folder. The message does not repeat the setting, which may contain a password.
 */
export function downloadsUrl(setting: string | undefined): string | null {
  if (setting === undefined) return GITHUB;
  if (setting.trim() === '') return null;
  const url = URL.canParse(setting.trim()) ? new URL(setting.trim()) : null;
  const isPlain = url && /^https?:$/.test(url.protocol) && `${url.username}${url.password}${url.search}${url.hash}` === '';
  if (!isPlain) {
    throw new Error(
      'SIMPLESIM_SFU_DOWNLOADS is not the address of a folder. Set it to an http or https URL without a password, query or fragment, or leave it empty to download nothing.',
    );
  }
  return url.href.replace(/\/+$/, '');
}

/** Returns what to do on a machine for which LiveKit publishes no archive. */
export function noArchiveText(platform: string, arch: string): string {
  return platform === 'darwin'
    ? 'LiveKit publishes no archive for macOS. Run `brew install livekit` to have the server within seconds.'
    : `LiveKit publishes no archive for ${platform} on ${arch}.`;
}

async function extractFromTar(archive: string, target: string): Promise<boolean> {
  const tar = await promisify(gunzip)(await readFile(archive), { chunkSize: UNPACKED_BYTES });
  const [server] = parseTar(tar, { filter: ({ name }) => basename(name) === SERVER });
  if (!server?.data) return false;
  await writeFile(target, server.data, { mode: PROGRAM_MODE });
  return true;
}

async function extractFromZip(archive: string, target: string): Promise<boolean> {
  const zip = await openPromise(archive);
  try {
    for await (const entry of zip.eachEntry()) {
      if (basename(entry.fileName) !== SERVER) continue;
      await pipeline(await zip.openReadStreamPromise(entry), createWriteStream(target, { mode: PROGRAM_MODE }));
      return true;
    }
    return false;
  } finally {
    zip.close();
  }
}
