/** Pupils' programs on other machines of the network: the page of a class gives each a key of an account of its own. */
import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LIVEKIT_VERSIONS, pythonWith } from '../../../scripts/ensure-python.ts';
import type { LogEntry } from '../../../src/control-service/deps.ts';
import { type Platform, startPlatform } from '../../../src/launch/platform.ts';
import { readRoomKey } from '../../../src/protocol/room/room-key.ts';
import { LAN_CERTIFICATE_PATH } from '../../../src/protocol/service/lan.ts';
import { ROOM_KEY_DEFAULT_TTL_S } from '../../../src/protocol/wire/limits.ts';
import { joinSimulatedRobot, type SimulatedRobot } from '../../client/helpers/simulated-robot.ts';
import { layDatabase } from '../../control-service/helpers/pglite-image.ts';
import { makeFakeDist } from '../helpers/fake-dist.ts';
import { lanAddress } from '../helpers/lan-address.ts';

const ROOT = join(import.meta.dirname, '../../..');
/** The last pupil has the name of the account of the platform’s own user. */
const NAMES = ['Ada', 'Ben <b>', 'local platform'];

/** The values that the page gives a pupil. */
interface Card {
  link: string;
  settings: Record<string, string>;
}

const folders = makeFakeDist();
const log: LogEntry[] = [];
let platform: Platform;
let lan: NonNullable<Platform['lan']>;
let page: string;
let cards: Card[];
let said: string;

beforeAll(async () => {
  const { PLATFORM_API_KEY: _key, LIVEKIT_URL: _url, SIMPLESIM_HOST: _host, ...env } = process.env;
  await layDatabase(folders.dataDir);
  platform = await startPlatform({
    port: 0,
    lan: lanAddress(),
    dataDir: folders.dataDir,
    distDir: folders.distDir,
    env: { ...env, SIMPLESIM_SFU_PORT: '0' },
    onLog: (entry) => log.push(entry),
  });
  if (!platform.lan) throw new Error('The network does not reach the platform.');
  lan = platform.lan;
  said = await makeClass('class.html');
  page = readFileSync(join(folders.root, 'class.html'), 'utf8');
  cards = cardsOf(page);
}, 300_000);
afterAll(async () => {
  await platform.stop();
  rmSync(folders.root, { recursive: true, force: true });
});

/** Runs the command as a teacher does. @returns its output */
async function makeClass(out: string): Promise<string> {
  const names = join(folders.root, 'names.txt');
  writeFileSync(names, NAMES.join('\n'));
  return new Promise((resolve, reject) => {
    const args = [join(ROOT, 'scripts/simplesim.mjs'), 'class', names, '--lan', '--out', join(folders.root, out)];
    const env = { ...process.env, SIMPLESIM_DATA_DIR: folders.dataDir };
    execFile(process.execPath, args, { env }, (error, stdout, stderr) =>
      error ? reject(new Error(stdout + stderr)) : resolve(stdout + stderr),
    );
  });
}

const plain = (html: string): string =>
  html.replace(
    /&(lt|gt|quot|apos|#39|amp);/g,
    (_, name: string) => ({ lt: '<', gt: '>', quot: '"', apos: "'", '#39': "'", amp: '&' })[name] as string,
  );
/** The variables that lines of a shell set. */
const settingsIn = (lines: string): Record<string, string> =>
  Object.fromEntries([...lines.matchAll(/([A-Z_]+)=(\S+)/g)].map(([, name = '', value = '']) => [name, value]));
const blockOf = (html: string, id: string): string => plain(new RegExp(`<pre id="${id}">([^<]*)</pre>`).exec(html)?.[1] ?? '');
const cardsOf = (html: string): Card[] =>
  [...html.slice(0, html.indexOf('</ul>')).matchAll(/<li[^>]*>([\s\S]*?)<\/li>/g)].map(([, card = '']) => ({
    link: plain(/href="([^"]+)"/.exec(card)?.[1] ?? ''),
    settings: settingsIn(plain(/<pre>([^<]*)<\/pre>/.exec(card)?.[1] ?? '')),
  }));
const cardOf = (at: number): Card => cards[at] ?? { link: '', settings: {} };
const keyOf = (at: number): string => cardOf(at).settings.PLATFORM_API_KEY ?? '';
const robotOf = (at: number): string => cardOf(at).settings.SIMPLESIM_ROBOT_ID ?? '';
const tokenOf = (link: string): string => {
  const read = readRoomKey(link, { nowMs: Date.now(), pageProtocol: 'https:' });
  if (!read.ok) throw new Error(read.message);
  return read.key.token;
};

/** Sends a request as a program in the network does that trusts the certificate. */
async function ask(path: string, key: string, { method = 'GET', body = '' } = {}): Promise<{ status: number; said: string }> {
  const { hostname: host, port } = new URL(lan.pageUrl);
  const headers = { Authorization: `Bearer ${key}`, ...(body ? { 'Content-Type': 'application/json' } : {}) };
  const asked = request({ host, port, path, method, headers, ca: lan.issuerPem, agent: false });
  asked.end(body);
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  return { status: answer.statusCode ?? 0, said: await text(answer) };
}
const read = async <T>(path: string, key: string, how = {}): Promise<T> => JSON.parse((await ask(path, key, how)).said) as T;

describe('the page of a class for programs', () => {
  it('the page of a class gives each pupil the address of the service, a key and the robot of the link, for its owner alone to read', () => {
    expect(cards).toHaveLength(NAMES.length);
    expect(new Set(cards.map((_, at) => keyOf(at))).size).toBe(NAMES.length);
    for (const [at, { link, settings }] of cards.entries()) {
      expect(settings).toEqual({
        PLATFORM_RCS_URL: `${lan.pageUrl}/rcs`,
        PLATFORM_API_KEY: expect.stringMatching(/^sk_live_[\w-]{43}$/),
        SIMPLESIM_ROBOT_ID: expect.stringMatching(/^[\da-f-]{36}$/),
      });
      expect(link.startsWith(`${lan.pageUrl}/#key=`)).toBe(true);
      const linked = readRoomKey(link, { nowMs: Date.now(), pageProtocol: 'https:' });
      expect(linked.ok && linked.key.robotId).toBe(robotOf(at));
    }
    expect(page).not.toContain(platform.apiKey);
    expect(statSync(join(folders.root, 'class.html')).mode & 0o777).toBe(0o600);
  });

  it('the page of a class has the SHA-256 of the certificate file that the platform serves', async () => {
    const { said: certificate } = await ask(LAN_CERTIFICATE_PATH, '');
    expect(page).toContain(`${lan.pageUrl}${LAN_CERTIFICATE_PATH}`);
    expect(page).toContain(createHash('sha256').update(certificate).digest('hex'));
  });

  it('a second class command uses the same robots and makes other keys', async () => {
    await makeClass('next.html');
    const next = cardsOf(readFileSync(join(folders.root, 'next.html'), 'utf8'));
    expect(next.map(({ settings }) => settings.SIMPLESIM_ROBOT_ID)).toEqual(cards.map((_, at) => robotOf(at)));
    expect(next.map(({ settings }) => settings.PLATFORM_API_KEY)).not.toEqual(cards.map((_, at) => keyOf(at)));
  });
});

describe("a pupil's key", () => {
  it("a pupil's key reaches the robot of this pupil in the network, and no other robot", async () => {
    for (const [at] of cards.entries()) {
      const listed = await read<{ robots: { id: string }[] }>('/rcs/v1/robots', keyOf(at));
      expect(listed.robots.map(({ id }) => id)).toEqual([robotOf(at)]);
    }
    expect((await ask(`/v1/robots/${robotOf(0)}`, keyOf(0))).status).toBe(200);
    const session = JSON.stringify({ worker_names: [] });
    for (const foreign of [robotOf(1), robotOf(2), platform.robotId]) {
      for (const face of ['/v1', '/rcs/v1']) {
        const robot = `${face}/robots/${foreign}`;
        const command = JSON.stringify({ skill: 'set_velocity', parameters: { wz: 1, duration_s: 1 } });
        const token = JSON.stringify({ participant_identity: 'program' });
        for (const [path, how] of [
          [robot, {}],
          [robot, { method: 'DELETE' }],
          [`${robot}/session`, { method: 'POST', body: session }],
          [`${robot}/session/command`, { method: 'POST', body: command }],
          [`${robot}/session/participant-token`, { method: 'POST', body: token }],
          [`${robot}/emergency-stop`, { method: 'POST' }],
        ] as const) {
          expect([path, (await ask(path, keyOf(0), how)).status]).toEqual([path, 404]);
        }
      }
    }
  });

  it("a pupil's key ends with the links", async () => {
    const { keys } = await read<{ keys: { expires_at: string; is_own: boolean }[] }>('/rcs/v1/api-keys', keyOf(0));
    const endsInS = (Date.parse(keys.find(({ is_own: isOwn }) => isOwn)?.expires_at ?? '') - Date.now()) / 1_000;
    expect(endsInS).toBeGreaterThan(ROOM_KEY_DEFAULT_TTL_S - 600);
    expect(endsInS).toBeLessThanOrEqual(ROOM_KEY_DEFAULT_TTL_S);
  });

  it('the service leads programs of the network into the room through the port that the network reaches', async () => {
    const path = `/rcs/v1/robots/${robotOf(0)}/session`;
    const place = { livekit_url: lan.pageUrl.replace('https', 'wss'), viewer_url: lan.pageUrl };
    const body = JSON.stringify({ worker_names: [] });
    expect(await read(path, keyOf(0), { method: 'POST', body })).toMatchObject(place);
    // On the machine itself the same key leads to the media server directly.
    const headers = { Authorization: `Bearer ${keyOf(0)}`, 'Content-Type': 'application/json' };
    const here = await fetch(`${platform.baseUrl}${path}`, { method: 'POST', headers, body });
    expect(await here.json()).toMatchObject({ livekit_url: platform.livekitUrl, viewer_url: platform.viewerUrl });
  });
});

it('the service rejects the key of the platform’s own user in the network, and accepts it on the machine itself', async () => {
  for (const path of ['/v1/robots', '/rcs/v1/robots', `/rcs/v1/robots/${platform.robotId}`]) {
    const refused = await ask(path, platform.apiKey);
    expect([path, refused.status]).toEqual([path, 401]);
    expect(JSON.parse(refused.said)).toMatchObject({ details: { reason: 'unknown' } });
  }
  const press = await ask(`/rcs/v1/robots/${platform.robotId}/emergency-stop`, platform.apiKey, { method: 'POST' });
  expect(press.status).toBe(401);
  const headers = { Authorization: `Bearer ${platform.apiKey}` };
  expect((await fetch(`${platform.rcsUrl}/v1/robots`, { headers })).status).toBe(200);
});

describe('a program on another machine, as the page prints it', () => {
  const place = join(folders.root, 'pupil');
  let robot: SimulatedRobot;

  beforeAll(async () => {
    mkdirSync(place);
    symlinkSync(join(ROOT, 'node_modules'), join(place, 'node_modules'));
    writeFileSync(join(place, 'package.json'), '{"type":"module"}');
    writeFileSync(join(place, 'simplesim.crt'), (await ask(LAN_CERTIFICATE_PATH, '')).said);
    robot = await joinSimulatedRobot({ url: platform.livekitUrl, token: tokenOf(cardOf(0).link) }, 1);
  });
  afterAll(() => robot?.leave());

  /** Runs it with the settings of the page and no others of the platform. */
  async function run(file: string, command: readonly string[], settings: Record<string, string>): Promise<[number, string]> {
    writeFileSync(join(place, file), blockOf(page, file.endsWith('.py') ? 'python' : 'typescript'));
    const [program = '', ...args] = command;
    const { NODE_ENV: _env, PLATFORM_API_KEY: _key, PLATFORM_RCS_URL: _url, ...env } = process.env;
    const running = spawn(program, [...args, file], { cwd: place, env: { ...env, ...settings } });
    let all = '';
    for (const stream of [running.stdout, running.stderr]) stream.on('data', (chunk) => (all += chunk));
    const [code] = (await once(running, 'close')) as [number];
    return [code, all];
  }

  const trusting = (): Record<string, string> => {
    const shared = blockOf(page, 'trust').replaceAll('"', '').replaceAll('$PWD', place);
    return { ...settingsIn(shared), ...cardOf(0).settings };
  };

  const node = (): string[] => [process.execPath, '--import', pathToFileURL(join(ROOT, 'node_modules/tsx/dist/loader.mjs')).href];

  it.each([
    ...LIVEKIT_VERSIONS.map(
      (version) => [`Python with LiveKit ${version}`, 'drive.py', () => [pythonWith(version, () => {})]] as const,
    ),
    ['TypeScript', 'drive.ts', node] as const,
  ])(
    'the printed program in %s drives the robot of its pupil',
    async (_, file, command) => {
      expect(trusting()).toMatchObject({ SSL_CERT_FILE: join(place, 'simplesim.crt') });
      const [code, output] = await run(file, command(), trusting());
      expect([code, output]).toEqual([0, expect.stringMatching(/done/)]);
    },
    120_000,
  );

  it.each([
    ['Python', 'drive.py', () => [pythonWith(LIVEKIT_VERSIONS[0], () => {})], 'SSL_CERT_FILE'] as const,
    ['TypeScript', 'drive.ts', node, 'NODE_EXTRA_CA_CERTS'] as const,
  ])(
    'the printed program in %s names the variable of the certificate when it does not trust the machine',
    async (_, file, command, variable) => {
      const [code, output] = await run(file, command(), cardOf(0).settings);
      expect(code).not.toBe(0);
      expect(output).toContain(variable);
      expect(output).not.toContain(keyOf(0));
    },
    120_000,
  );
});

it('no key is in the output of the command or in the log of the platform', () => {
  const reported = [said, ...log.map((entry) => JSON.stringify(entry))].join('\n');
  for (const [at] of cards.entries()) expect(reported).not.toContain(keyOf(at).slice(12));
  expect(reported).not.toContain(platform.apiKey.slice(12));
});
