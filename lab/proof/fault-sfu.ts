/**
 * An SFU that a proof ends and starts at will, at the same ports with the same keys. Its one room is created again with each
 * start, as the platform does.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { RoomServiceClient } from 'livekit-server-sdk';
import { isTcpPortFree, isUdpPortFree } from '../../src/launch/ports.ts';
import { isSfuUp } from '../../src/launch/sfu.ts';
import { findSfuBinary } from '../../src/launch/sfu-binary.ts';
import { waitUntil } from '../../tests/launch/helpers/processes.ts';

export interface FaultSfu {
  readonly url: string;
  readonly httpUrl: string;
  readonly apiKey: string;
  readonly apiSecret: string;
  readonly admin: RoomServiceClient;
  /** Starts it and creates these rooms. Settles when the SFU and its rooms are up. */
  start(rooms: readonly string[]): Promise<void>;
  /** Ends it in order as its launcher does: after the first signal it sends leave messages, the second ends it. */
  stop(): Promise<void>;
  /** Kills it, so that it sends no leave messages. */
  kill(): Promise<void>;
  /** Freezes it: it sends nothing more, but still exists. */
  pause(): void;
  resume(): void;
}

const UP_WITHIN_MS = 60_000;
const SECOND_SIGNAL_MS = 50;
const KILLED_AFTER_MS = 400;
const PORTS_FROM = 12_000;
const PORTS = 8_000;

async function freePorts(): Promise<[signal: number, tcp: number, udp: number]> {
  for (;;) {
    const first = PORTS_FROM + Math.floor(Math.random() * PORTS);
    const free = [isTcpPortFree(first, '127.0.0.1'), isTcpPortFree(first + 1, '0.0.0.0'), isUdpPortFree(first + 2)];
    if ((await Promise.all(free)).every(Boolean)) return [first, first + 1, first + 2];
  }
}

export async function createFaultSfu(): Promise<FaultSfu> {
  const binary = await findSfuBinary(process.env, () => {});
  const [signal, tcp, udp] = await freePorts();
  const [apiKey, apiSecret] = ['APIproof', randomBytes(32).toString('base64url')];
  const config = JSON.stringify({
    port: signal,
    bind_addresses: ['127.0.0.1'],
    keys: { [apiKey]: apiSecret },
    rtc: { tcp_port: tcp, udp_port: udp, use_external_ip: false, enable_loopback_candidate: true },
    room: { auto_create: false, empty_timeout: 86_400, departure_timeout: 86_400 },
    logging: { level: 'error', json: false },
  });
  const httpUrl = `http://127.0.0.1:${signal}`;
  const admin = new RoomServiceClient(httpUrl, apiKey, apiSecret, { requestTimeout: 10, failover: false });
  let child: ChildProcess | null = null;
  const end = async (how: (running: ChildProcess) => void): Promise<void> => {
    const running = child;
    child = null;
    if (!running || running.exitCode !== null || running.signalCode !== null) return;
    const gone = once(running, 'exit');
    how(running);
    await gone;
  };
  // No SFU remains, whatever ends this process.
  process.once('exit', () => child?.kill('SIGKILL'));
  return {
    url: `ws://127.0.0.1:${signal}`,
    httpUrl,
    apiKey,
    apiSecret,
    admin,
    async start(rooms) {
      child = spawn(binary, [], { env: { ...process.env, LIVEKIT_CONFIG: config }, stdio: 'ignore' });
      await waitUntil(() => isSfuUp(httpUrl, 1_000), 'the SFU', UP_WITHIN_MS);
      for (const name of rooms) await admin.createRoom({ name });
    },
    stop: () =>
      end((running) => {
        running.kill('SIGTERM');
        setTimeout(() => running.kill('SIGTERM'), SECOND_SIGNAL_MS);
        setTimeout(() => running.kill('SIGKILL'), KILLED_AFTER_MS);
      }),
    kill: () => end((running) => running.kill('SIGKILL')),
    pause: () => void child?.kill('SIGSTOP'),
    resume: () => void child?.kill('SIGCONT'),
  };
}
