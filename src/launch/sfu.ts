import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { OnProgress } from './output.ts';
import { isTcpPortFree, isUdpPortFree, readPort } from './ports.ts';
import { findSfuBinary } from './sfu-binary.ts';
import { SfuProcess } from './sfu-process.ts';

/** The options of an SFU. */
export interface SfuOptions {
  /**
   * Signal port; the two after it serve WebRTC over TCP and UDP. 0 takes any free ones.
   * @default SIMPLESIM_SFU_PORT, otherwise 7880 when 7880–7882 are free, otherwise any free ones
   */
  port?: number;
  /** Whether an SFU that dies is started again at the same ports with the same keys. @default true */
  restart?: boolean;
  /** Whether joining a missing room creates it. Otherwise only the control service creates rooms. @default true */
  roomsOnJoin?: boolean;
  /**
   * The SFU that this one succeeds. It has the same keys and, if no port is set, the same ports while they are free. So tokens
   * and links of the earlier one stay valid until they expire.
   * @default new keys
   */
  succeeds?: EarlierSfu | undefined;
  /** Called as soon as a restarted SFU answers; it has no rooms. */
  onRestart?: () => Promise<void>;
  /**
   * An address of this machine in a network: rooms are reached only there and on the loopback address.
   * @default every address of the machine
   */
  lanAddress?: string | undefined;
  /** The source of settings. @default process.env */
  env?: NodeJS.ProcessEnv;
  /** Receives sentences about the progress while an SFU is found, obtained and started. */
  onProgress?: OnProgress;
  /** Receives a sentence when the SFU exits unexpectedly, runs again, or is given up. */
  onLog?: (line: string) => void;
}

/** A running SFU. */
export interface Sfu {
  /** Address for participants, `ws://…`. */
  readonly url: string;
  /** Address for server calls, `http://…`. */
  readonly httpUrl: string;
  readonly apiKey: string;
  readonly apiSecret: string;
  /** Its ports for WebRTC; null for a foreign SFU. */
  readonly mediaPorts: { tcp: number; udp: number } | null;
  /** Process id; null for a foreign SFU (LIVEKIT_URL), and while a dead one is being restarted. */
  readonly pid: number | null;
  /** Ends the SFU; a foreign one keeps running. */
  stop(): Promise<void>;
}

/** The state that an SFU inherits from an earlier one. */
export interface EarlierSfu {
  /** Null: new keys, which invalidate every earlier token. */
  keys: { apiKey: string; apiSecret: string } | null;
  /** Its signal port; null: the usual choice. */
  port: number | null;
}

interface SfuPorts {
  signal: number;
  rtcTcp: number;
  rtcUdp: number;
}

const HOST = '127.0.0.1';
/** Its ports for WebRTC over TCP and over UDP. */
const PORTS_AFTER_SIGNAL = 2;
const DEFAULT_PORT = 7880;
/** Below the range that systems use for outgoing connections. */
const RANDOM_PORTS = { from: 20_000, count: 12_000 };
/** How long a running SFU may take to answer on a busy machine. One that exits is reported at once. */
const READY_WITHIN_MS = 120_000;
const READY_POLL_MS = 20;
/** Another process may take a random port between the check and the start. */
const START_ATTEMPTS = 3;
/** The guard of a launcher that was killed ends its SFU within 400 ms (`STOP_GRACE_MS` of `sfu-guard.ts`). */
const ENDING_SFU_MS = 1_000;
/** Longer than any participant token lives (6 h), so that a room outlives every link to it. */
const ROOM_IDLE_TIMEOUT_S = 86_400;

/**
 * Finds a LiveKit server (LIVEKIT_URL with its keys, or as `findSfuBinary` does), starts it on the loopback address with new keys
 * or those of an earlier one, and waits until it answers. It leaves no process behind, however this process exits.
 * @throws With a sentence on what to do: a busy port by its number, a missing tool, half-set LIVEKIT_ settings.
 */
export async function startSfu(options: SfuOptions = {}): Promise<Sfu> {
  const env = options.env ?? process.env;
  const onProgress = options.onProgress ?? (() => {});
  const { running, port: setPort } = readSfuSettings(env);
  if (running) return attachTo(running);
  const binary = await findSfuBinary(env, onProgress);
  const { apiKey, apiSecret } = options.succeeds?.keys ?? newKeys();
  const fixedPort = options.port ?? setPort;
  for (let attempt = 1; ; attempt += 1) {
    const ports = await choosePorts(fixedPort, attempt === 1 ? (options.succeeds?.port ?? null) : null);
    const httpUrl = `http://${HOST}:${ports.signal}`;
    const guarded = new SfuProcess({
      binary,
      config: sfuConfig(ports, { apiKey, apiSecret, roomsOnJoin: options.roomsOnJoin ?? true }, options.lanAddress),
      secrets: [apiSecret],
      isReady: (signal) => waitUntilReady(httpUrl, signal),
      restart: options.restart ?? true,
      onRestart: options.onRestart ?? (async () => {}),
      onLog: options.onLog ?? (() => {}),
    });
    try {
      await guarded.start();
      return {
        url: `ws://${HOST}:${ports.signal}`,
        httpUrl,
        apiKey,
        apiSecret,
        mediaPorts: { tcp: ports.rtcTcp, udp: ports.rtcUdp },
        get pid() {
          return guarded.pid;
        },
        stop: () => guarded.stop(),
      };
    } catch (error) {
      await guarded.stop();
      const busy = await busyPort(ports);
      if (busy === null) throw error;
      if (fixedPort || attempt === START_ATTEMPTS) throw new Error(busyMessage(busy));
    }
  }
}

/** Whether an SFU answers at this address. */
export async function isSfuUp(httpUrl: string, timeoutMs: number): Promise<boolean> {
  try {
    const response = await fetch(httpUrl, { signal: AbortSignal.timeout(timeoutMs) });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}

/** A foreign SFU. */
interface RunningSfu {
  address: string;
  apiKey: string;
  apiSecret: string;
}

/** Reads which SFU is wanted: a running one, or the platform's own at this port (null for any). @throws With what to set */
export function readSfuSettings(env: NodeJS.ProcessEnv): { running: RunningSfu | null; port: number | null } {
  const { LIVEKIT_URL: url, LIVEKIT_API_KEY: apiKey, LIVEKIT_API_SECRET: apiSecret, SIMPLESIM_SFU_PORT: port } = env;
  if (!url) return { running: null, port: port ? readPort(port, 'SIMPLESIM_SFU_PORT', PORTS_AFTER_SIGNAL) : null };
  if (!apiKey || !apiSecret) {
    throw new Error('LIVEKIT_URL is set without its keys. Set LIVEKIT_API_KEY and LIVEKIT_API_SECRET too, or unset LIVEKIT_URL.');
  }
  if (!/^(ws|http)s?:\/\/[^\s/]+/.test(url) || !URL.canParse(url)) {
    throw new Error('LIVEKIT_URL is not an address of the form ws://host:port or wss://host. Correct it, or unset it.');
  }
  return { running: { address: url.replace(/\/+$/, ''), apiKey, apiSecret }, port: null };
}

async function attachTo({ address, apiKey, apiSecret }: RunningSfu): Promise<Sfu> {
  const httpUrl = address.replace(/^ws/, 'http');
  if (!(await isSfuUp(httpUrl, 5_000))) {
    throw new Error(
      `No SFU answers at the LIVEKIT_URL (${new URL(httpUrl).host}). Start it, or unset LIVEKIT_URL to use a local one.`,
    );
  }
  return { url: address.replace(/^http/, 'ws'), httpUrl, apiKey, apiSecret, mediaPorts: null, pid: null, stop: async () => {} };
}

const newKeys = (): { apiKey: string; apiSecret: string } => ({
  apiKey: `API${randomBytes(9).toString('base64url')}`,
  apiSecret: randomBytes(32).toString('base64url'),
});

/** @param fixedPort 0: any free ones; null: the earlier port, the default port, or any free ones, in this order */
async function choosePorts(fixedPort: number | null, earlierPort: number | null): Promise<SfuPorts> {
  if (fixedPort) {
    const ports = threePorts(fixedPort);
    const busy = await busyAfterGrace(ports);
    if (busy !== null) throw new Error(busyMessage(busy));
    return ports;
  }
  if (fixedPort === null && earlierPort !== null && (await busyAfterGrace(threePorts(earlierPort))) === null)
    return threePorts(earlierPort);
  if (fixedPort === null && (await busyPort(threePorts(DEFAULT_PORT))) === null) return threePorts(DEFAULT_PORT);
  for (let tries = 0; tries < 100; tries += 1) {
    const ports = threePorts(RANDOM_PORTS.from + Math.floor(Math.random() * RANDOM_PORTS.count));
    if ((await busyPort(ports)) === null) return ports;
  }
  throw new Error('The SFU finds no three free ports between 20000 and 32000. Set SIMPLESIM_SFU_PORT to one that is free.');
}

const threePorts = (first: number): SfuPorts => ({ signal: first, rtcTcp: first + 1, rtcUdp: first + 2 });

/**
 * Returns the busy port, if any. The SFU of a platform that was just killed may still be exiting, so a busy port is checked again
 * for a second.
 */
async function busyAfterGrace(ports: SfuPorts): Promise<string | null> {
  const deadlineMs = performance.now() + ENDING_SFU_MS;
  for (;;) {
    const busy = await busyPort(ports);
    if (busy === null || performance.now() >= deadlineMs) return busy;
    await sleep(READY_POLL_MS);
  }
}

async function busyPort(ports: SfuPorts): Promise<string | null> {
  if (!(await isTcpPortFree(ports.signal, HOST))) return `TCP port ${ports.signal}`;
  if (!(await isTcpPortFree(ports.rtcTcp, '0.0.0.0'))) return `TCP port ${ports.rtcTcp}`;
  if (!(await isUdpPortFree(ports.rtcUdp))) return `UDP port ${ports.rtcUdp}`;
  return null;
}

const busyMessage = (busy: string): string =>
  `The SFU cannot start: ${busy} is in use. Stop the program that uses it, or set SIMPLESIM_SFU_PORT to the first of three free ports.`;

/** LiveKit reads YAML, which includes JSON. */
function sfuConfig(
  ports: SfuPorts,
  { apiKey, apiSecret, roomsOnJoin }: { apiKey: string; apiSecret: string; roomsOnJoin: boolean },
  lanAddress: string | undefined,
): string {
  return JSON.stringify({
    port: ports.signal,
    bind_addresses: [HOST],
    keys: { [apiKey]: apiSecret },
    // Loopback candidates let it work on a machine without a network.
    rtc: {
      tcp_port: ports.rtcTcp,
      udp_port: ports.rtcUdp,
      use_external_ip: false,
      enable_loopback_candidate: true,
      ...(lanAddress === undefined ? {} : { ips: { includes: [`${HOST}/32`, `${lanAddress}/32`] } }),
    },
    room: { auto_create: roomsOnJoin, empty_timeout: ROOM_IDLE_TIMEOUT_S, departure_timeout: ROOM_IDLE_TIMEOUT_S },
    logging: { level: 'warn', json: false },
  });
}

/** The dependencies of waiting, so that tests need no real time. */
interface Waiting {
  isUp: (httpUrl: string) => Promise<boolean>;
  nowMs: () => number;
  sleep: (durationMs: number) => Promise<unknown>;
}

const REALLY: Waiting = { isUp: (httpUrl) => isSfuUp(httpUrl, 1_000), nowMs: () => performance.now(), sleep };

/**
 * Waits until an SFU answers, or the answer is not needed.
 * @throws With what to do, if it runs without an answer for two minutes
 */
export async function waitUntilReady(
  httpUrl: string,
  signal: AbortSignal,
  { isUp, nowMs, sleep }: Waiting = REALLY,
): Promise<void> {
  const deadlineMs = nowMs() + READY_WITHIN_MS;
  while (nowMs() < deadlineMs) {
    if (signal.aborted) return;
    if (await isUp(httpUrl)) return;
    await sleep(READY_POLL_MS);
  }
  throw new Error(
    `The SFU runs and does not answer at ${httpUrl} within ${READY_WITHIN_MS / 1000} s. The machine may have too much to do: end other programs, then start again.`,
  );
}
