/** The parts of a fleet, each minimal: Redis, LiveKit nodes on it, one address in front of them, control services. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { findRedis } from '../../scripts/ensure-redis.ts';
import { isTcpPortFree, isUdpPortFree } from '../../src/launch/ports.ts';
import { isSfuUp } from '../../src/launch/sfu.ts';
import { findSfuBinary } from '../../src/launch/sfu-binary.ts';
import { SfuProcess } from '../../src/launch/sfu-process.ts';
import { commandArgs } from '../launch/helpers/command.ts';
import { waitUntil } from '../launch/helpers/processes.ts';

const PROJECT_DIR = resolve(import.meta.dirname, '../..');

/** Returns a port that was free a moment ago, below the ranges of outgoing connections and of our own SFUs. */
async function freePort(): Promise<number> {
  for (;;) {
    const port = 12_000 + Math.floor(Math.random() * 8_000);
    if ((await isTcpPortFree(port, '0.0.0.0')) && (await isUdpPortFree(port))) return port;
  }
}

export interface Redis {
  address: string;
  /** Sends one command and returns the reply in Redis's own format. */
  ask(command: string): Promise<string>;
  stop(): Promise<void>;
}

/** Starts a Redis without persistence. */
export async function startRedis(): Promise<Redis> {
  const binary = findRedis();
  if (binary === null) throw new Error('Redis is not installed. Install it: npx tsx scripts/ensure-redis.ts');
  const folder = mkdtempSync(join(tmpdir(), 'simplesim-redis-'));
  const port = await freePort();
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', folder];
  const child = spawn(binary, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  await untilLine(child, /Ready to accept connections/);
  return {
    address: `127.0.0.1:${port}`,
    ask(command) {
      const socket = connect(port, '127.0.0.1');
      socket.end(`${command}\r\n`);
      return text(socket);
    },
    async stop() {
      await kill(child);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export interface SfuKeys {
  apiKey: string;
  apiSecret: string;
}

export interface SfuNode {
  httpPort: number;
  /** Ends it abruptly, without notice to its peers. */
  kill(): void;
  stop(): Promise<void>;
}

/** The configuration of a node in deploy/compose.yaml, with the values of this machine. */
function deployedConfig(changes: [RegExp, string][]): string {
  const compose = readFileSync(join(PROJECT_DIR, 'deploy/compose.yaml'), 'utf8');
  const [, block = ''] = /LIVEKIT_CONFIG: \|\n((?: {8}.*\n)+)/.exec(compose) ?? [];
  return changes.reduce(
    (config, [what, by]) => {
      if (!what.test(config)) throw new Error(`deploy/compose.yaml has no ${what} in the configuration of a node.`);
      return config.replace(what, by);
    },
    block.replaceAll(/^ {8}/gm, ''),
  );
}

/** Starts a LiveKit node of the cluster that meets at this Redis, configured as in deploy/compose.yaml. */
export async function startNode(redisAddress: string, { apiKey, apiSecret }: SfuKeys): Promise<SfuNode> {
  const binary = await findSfuBinary(process.env, () => {});
  const [httpPort, tcpPort, udpPort] = [await freePort(), await freePort(), await freePort()];
  const config = deployedConfig([
    [/^port: 7880$/m, `port: ${httpPort}\nbind_addresses: [127.0.0.1]`],
    [/^key_file: .*$/m, `keys: { ${apiKey}: ${apiSecret} }`],
    [/"redis:6379"/, `"${redisAddress}"`],
    [/tcp_port: \d+, udp_port: \d+/, `tcp_port: ${tcpPort}, udp_port: ${udpPort}, enable_loopback_candidate: true`],
    [/\$\{NODE_IP[^}]*\}/, '127.0.0.1'],
    [/level: info/, 'level: error'],
  ]);
  const url = `http://127.0.0.1:${httpPort}`;
  const node = new SfuProcess({
    binary,
    config,
    secrets: [apiSecret],
    isReady: () => waitUntil(() => isSfuUp(url, 1_000), `the node at ${url}`, 30_000),
    restart: false,
    onRestart: async () => {},
    onLog: () => {},
  });
  await node.start();
  return {
    httpPort,
    kill: () => {
      if (node.pid !== null) process.kill(node.pid, 'SIGKILL');
    },
    stop: () => node.stop(),
  };
}

export interface Balancer {
  port: number;
  close(): Promise<void>;
}

/** Serves one address in front of several: each connection goes to the next one that accepts it. */
export async function startBalancer(ports: number[]): Promise<Balancer> {
  let turn = 0;
  const open = new Set<Socket>();
  const server = createServer((from) => {
    turn += 1;
    const order = ports.map((_, index) => ports[(turn + index) % ports.length] ?? 0);
    const tryNext = (): void => {
      const port = order.shift();
      if (port === undefined) return void from.destroy();
      const to = connect(port, '127.0.0.1');
      to.once('error', () => (to.connecting || !to.bytesRead ? tryNext() : undefined));
      to.once('connect', () => {
        from.pipe(to).pipe(from);
        for (const [end, other] of [
          [from, to],
          [to, from],
        ] as const) {
          end.on('error', () => other.destroy());
          end.once('close', () => other.destroy());
        }
      });
    };
    open.add(from);
    from.on('close', () => open.delete(from));
    from.on('error', () => {});
    tryNext();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

export interface ControlService {
  baseUrl: string;
  /** Ends it abruptly, without notice to its peers. */
  kill(): Promise<void>;
}

/** Starts a control service as a separate process, as `npm run service -- serve` does. */
export async function startControlService(env: Record<string, string>): Promise<ControlService> {
  const args = [...commandArgs('service'), 'serve', '--port', '0'];
  const child = spawn(process.execPath, args, {
    cwd: PROJECT_DIR,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const line = await untilLine(child, /"serving"/);
  return { baseUrl: (JSON.parse(line) as { base_url: string }).base_url, kill: () => kill(child) };
}

export const newSfuKeys = (): SfuKeys => ({ apiKey: 'APIfleet', apiSecret: randomBytes(24).toString('base64url') });

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

/** Returns the first matching line of a program's output; the rest is read and discarded. */
function untilLine(child: ChildProcess, pattern: RegExp): Promise<string> {
  return new Promise((done, fail) => {
    if (!child.stdout) return fail(new Error('The program has no output.'));
    const said: string[] = [];
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (pattern.test(line)) done(line);
      else if (said.push(line) > 50) said.shift();
    });
    child.once('exit', (code) => fail(new Error(`The program ended (${code}). Output:\n${said.join('\n')}`)));
  });
}
