import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EarlierSfu } from './sfu.ts';

/** The platform's data for the programs of its user: `local.json` in the data folder. Contains secrets. */
export interface LocalFile {
  viewer_url: string;
  base_url: string;
  rcs_url: string;
  livekit_url: string;
  /**
   * Keys of the platform's own SFU, for a worker that registers with it; empty for a foreign SFU. The next start uses them again,
   * so that links and robots stay valid.
   */
  livekit_api_key: string;
  livekit_api_secret: string;
  api_key: string;
  robot_id: string;
  room_key_url: string;
  /** The address at which phones in the network reach the page, `https://…`; absent if they cannot. */
  lan_url?: string;
  /**
   * The certificate, in PEM, with which programs in the network recognise this machine; absent if the network cannot reach it.
   */
  lan_certificate?: string;
}

const NAME = 'local.json';

/** Reads the data of an earlier platform; a missing or damaged file counts as empty. */
export function readLocalFile(dataDir: string): Partial<LocalFile> {
  try {
    const value: unknown = JSON.parse(readFileSync(join(dataDir, NAME), 'utf8'));
    if (typeof value !== 'object' || value === null) return {};
    return Object.fromEntries(Object.entries(value).filter(([, field]) => typeof field === 'string' && field !== ''));
  } catch {
    return {};
  }
}

/** The form of the keys that `sfu.ts` generates. A platform does not write any other form. */
const SFU_API_KEY = /^API[\w-]{12}$/;
const SFU_API_SECRET = /^[\w-]{43}$/;
const PORT_MAX = 65_533;

/** Returns the SFU of an earlier platform. A file without one, or with a foreign one, gives no keys. */
export function earlierSfu({
  livekit_url: url,
  livekit_api_key: apiKey,
  livekit_api_secret: apiSecret,
}: Partial<LocalFile>): EarlierSfu {
  if (!apiKey || !apiSecret || !SFU_API_KEY.test(apiKey) || !SFU_API_SECRET.test(apiSecret)) return { keys: null, port: null };
  const port = url !== undefined && URL.canParse(url) ? Number(new URL(url).port) : 0;
  return { keys: { apiKey, apiSecret }, port: port > 0 && port <= PORT_MAX ? port : null };
}

/** Writes the file atomically, readable only by its owner. @returns its path */
export function writeLocalFile(dataDir: string, local: LocalFile): string {
  const path = join(dataDir, NAME);
  const unfinished = `${path}.${process.pid}`;
  try {
    writeFileSync(unfinished, `${JSON.stringify(local, null, 2)}\n`, { mode: 0o600 });
    renameSync(unfinished, path);
  } finally {
    rmSync(unfinished, { force: true });
  }
  return path;
}
