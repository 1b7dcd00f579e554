/** The source of the SFU on a machine without one. The servers are stand-ins, and the programs are scripts. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { GoArchives } from '../../src/launch/go-toolchain.ts';
import { findSfuBinary, pinnedVersion, type SfuSources } from '../../src/launch/sfu-binary.ts';
import type { ReleaseArchives } from '../../src/launch/sfu-release.ts';
import { waitUntil } from './helpers/processes.ts';
import { SCRIPT, type StandIn, sendHalf, sha256Of, startStandIn, tarOf } from './helpers/stand-in-downloads.ts';

const VERSION = '9.9.9';
const HERE = `${process.platform}-${process.arch}`;
const FAKE_GO = `#!/bin/sh
while [ "$1" != -o ]; do shift; done
echo "built in $GOMODCACHE" > "$2"
/bin/chmod +x "$2"
`;
/** A port without a listening server. */
const UNREACHABLE = 'http://127.0.0.1:1';

let folder: string;
let servers: StandIn[];
let children: ChildProcess[];
const lines: string[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'simplesim-sfu-'));
  servers = [];
  children = [];
  lines.length = 0;
});
afterEach(async () => {
  for (const child of children) child.kill('SIGKILL');
  await Promise.all(servers.map((server) => server.close()));
  rmSync(folder, { recursive: true, force: true });
});

async function serve(answer: RequestListener): Promise<StandIn> {
  const server = await startStandIn(answer);
  servers.push(server);
  return server;
}

/** An archive of Python's own library, which records no file modes. */
function zipOf(files: Record<string, string>): Buffer {
  const root = mkdtempSync(join(folder, 'zip-'));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), content);
  }
  execFileSync('python3', [
    '-m',
    'zipfile',
    '-c',
    join(folder, 'made.zip'),
    ...readdirSync(root).map((name) => join(root, name)),
  ]);
  return readFileSync(join(folder, 'made.zip'));
}

const release = (bytes: Buffer, name = 'livekit.tar.gz'): ReleaseArchives => ({ [HERE]: { name, sha256: sha256Of(bytes) } });

/** The settings of a machine with neither Go nor LiveKit. */
const bareMachine = (downloads: string, proxy = 'off'): NodeJS.ProcessEnv => ({
  PATH: join(folder, 'nothing'),
  HOME: join(folder, 'home'),
  GOPROXY: proxy,
  SIMPLESIM_SFU_DOWNLOADS: downloads,
});
const find = (env: NodeJS.ProcessEnv, sources: Partial<SfuSources> = {}): Promise<string> =>
  findSfuBinary(env, (line) => lines.push(line), { cacheDir: join(folder, 'cache'), ...sources });

/** Starts a process that does the same. */
function startFinder(env: NodeJS.ProcessEnv, release: ReleaseArchives): ChildProcess {
  const settings = JSON.stringify({ env, sources: { cacheDir: join(folder, 'cache'), release } });
  const script = join(import.meta.dirname, 'helpers/find-sfu-binary.ts');
  const child = spawn(process.execPath, ['--import', 'tsx', script, settings], { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  return child;
}

const KEY = `sfu-${pinnedVersion()}-${HERE}`;
const PROJECT_FILE = `cache/${KEY}/livekit-server`;
const USER_FILE = `home/.cache/simplesim/${KEY}/livekit-server`;
/** Returns the files in the cache. */
const left = (path = PROJECT_FILE): string[] => readdirSync(dirname(join(folder, path)));
const output = (binary: string): string => execFileSync(binary, { encoding: 'utf8' });

describe('a release', () => {
  it('a release is downloaded and extracted into both caches, and found there the next time', async () => {
    const bytes = await tarOf();
    const server = await serve((_request, response) => response.end(bytes));
    const binary = await find(bareMachine(server.url), { release: release(bytes) });
    expect(binary).toBe(join(folder, PROJECT_FILE));
    expect(output(binary)).toBe('stand-in\n');
    expect(output(join(folder, USER_FILE))).toBe('stand-in\n');
    expect([...left(), ...left(USER_FILE)]).toEqual(['livekit-server', 'livekit-server']);
    expect(server.asked).toEqual([`/v${pinnedVersion()}/livekit.tar.gz`]);
    expect(await find(bareMachine(UNREACHABLE))).toBe(binary);
    rmSync(dirname(binary), { recursive: true });
    expect(await find(bareMachine(UNREACHABLE))).toBe(join(folder, USER_FILE));
  });

  it('a release may be a zip archive', async () => {
    const bytes = zipOf({ LICENSE: 'a licence', 'livekit-server': SCRIPT });
    const server = await serve((_request, response) => response.end(bytes));
    expect(output(await find(bareMachine(server.url), { release: release(bytes, 'livekit.zip') }))).toBe('stand-in\n');
  });

  it('a release is used only if neither PATH nor cache has a server', async () => {
    const own = join(folder, 'own');
    mkdirSync(own);
    writeFileSync(join(own, 'livekit-server'), SCRIPT, { mode: 0o755 });
    expect(await find({ ...bareMachine('not an address'), PATH: own })).toBe(join(own, 'livekit-server'));
    await expect(find(bareMachine('not an address'))).rejects.toThrow('SIMPLESIM_SFU_DOWNLOADS is not the address of a folder.');
    expect(left()).toEqual([]);
  });

  it('a release with the wrong checksum is reported and not used, and Go builds the server', async () => {
    const server = await serve(async (_request, response) => response.end(await tarOf('#!/bin/sh\necho foreign\n')));
    const binary = await find(machineWithGo(server.url), { release: release(await tarOf()) });
    expect(lines).toContainEqual(
      expect.stringMatching(/^livekit\.tar\.gz from http:\S+ has the wrong SHA-256: expected [0-9a-f]{64}, got [0-9a-f]{64}\.$/),
    );
    expect(readFileSync(binary, 'utf8')).toMatch(/^built in/);
    expect(left()).toEqual(['livekit-server']);
  });

  it.each<[what: string, bytes: () => Promise<Buffer>, says: string]>([
    ['without a server', () => tarOf('', ['LICENSE']), 'livekit.tar.gz does not contain livekit-server.'],
    ['that is not an archive', async () => Buffer.from('text'), 'livekit.tar.gz cannot be unpacked: incorrect header check.'],
  ])('a release %s is reported, and Go builds the server', async (_what, make, says) => {
    const bytes = await make();
    const server = await serve((_request, response) => response.end(bytes));
    expect(readFileSync(await find(machineWithGo(server.url), { release: release(bytes) }), 'utf8')).toMatch(/^built in/);
    expect(lines).toContain(says);
  });

  it.each<[what: string, answer: RequestListener, says: RegExp]>([
    ['does not answer', () => {}, /^livekit\.tar\.gz cannot be downloaded from http:\S+: no answer within 4 s\.$/],
    ['answers 404', (_request, response) => response.writeHead(404).end(), /: HTTP status 404\.$/],
    ['hangs in the middle', sendHalf(randomBytes(500_000)), /: less than 64 kB arrived within 0\.3 s\.$/],
  ])(
    'a release of a host that %s is given up with one line that names the reason, and Go builds the server',
    async (_what, answer, says) => {
      const server = await serve(answer);
      const sources = { release: release(Buffer.from('')), limits: { answerMs: 4_000, pieceMs: 300 } };
      expect(readFileSync(await find(machineWithGo(server.url), sources), 'utf8')).toMatch(/^built in/);
      expect(lines.filter((line) => says.test(line))).toHaveLength(1);
      expect(left()).toEqual(['livekit-server']);
    },
  );

  it('a release of an unreachable host, or without an archive for this machine, is replaced by a build', async () => {
    await find(machineWithGo(UNREACHABLE), { release: release(Buffer.from('')) });
    expect(lines).toContainEqual(
      expect.stringMatching(/cannot be downloaded from http:\/\/127\.0\.0\.1:1: (connect ECONNREFUSED|bad port)/),
    );
    rmSync(join(folder, 'cache'), { recursive: true });
    rmSync(join(folder, 'home'), { recursive: true });
    await find(machineWithGo(UNREACHABLE), { release: {} });
    expect(lines).toContainEqual(expect.stringContaining('LiveKit publishes no archive for'));
  });
});

describe('the cache', () => {
  it('the cache has no part of a server after a kill in the middle, and the next run succeeds', async () => {
    const bytes = await tarOf(`${SCRIPT}# ${randomBytes(200_000).toString('hex')}\n`);
    let isHanging = true;
    const server = await serve((request, response) => (isHanging ? sendHalf(bytes)(request, response) : response.end(bytes)));
    const child = startFinder(bareMachine(server.url), release(bytes));
    const unfinished = (): string[] => (existsSync(dirname(join(folder, PROJECT_FILE))) ? left() : []);
    await waitUntil(() => unfinished().some((name) => /^livekit-server\.\w{6}$/.test(name)), 'a folder of the download');
    await waitUntil(() => server.asked.length > 0, 'a request');
    child.kill('SIGKILL');
    expect(left()).not.toContain('livekit-server');
    isHanging = false;
    expect(output(await find(bareMachine(server.url), { release: release(bytes) }))).toBe('stand-in\n');
    expect(left()).toEqual(['livekit-server']);
  });

  it('the cache is filled once when four processes start at once', async () => {
    const bytes = await tarOf();
    const server = await serve((_request, response) => void setTimeout(() => response.end(bytes), 500));
    const finders = [1, 2, 3, 4].map(() => startFinder(bareMachine(server.url), release(bytes)));
    const found = await Promise.all(finders.map(async ({ stdout }) => (stdout ? await text(stdout) : '')));
    expect(new Set(found)).toEqual(new Set([`${join(folder, PROJECT_FILE)}\n`]));
    expect(server.asked).toHaveLength(1);
    expect(left()).toEqual(['livekit-server']);
  });

  it('the cache is the user’s if the project’s cannot be written, and a sentence if neither can', async () => {
    const bytes = await tarOf();
    const server = await serve((_request, response) => response.end(bytes));
    // A file in place of a folder stops root too.
    writeFileSync(join(folder, 'cache'), '');
    expect(await find(bareMachine(server.url), { release: release(bytes) })).toBe(join(folder, USER_FILE));
    rmSync(join(folder, 'home'), { recursive: true });
    writeFileSync(join(folder, 'home'), '');
    await expect(find(bareMachine(server.url), { release: release(bytes) })).rejects.toThrow(
      /^The LiveKit server has no place to be stored \(.*cache.*; .*home.*\)\. Set XDG_CACHE_HOME to a folder that you can write/,
    );
  });
});

describe('without Go', () => {
  let zip: Buffer;
  beforeEach(() => {
    zip = zipOf(
      Object.fromEntries(
        Object.entries({ 'bin/go': FAKE_GO, 'src/a.go': 'package a', 'pkg/tool/any/compile': '' }).map(([name, content]) => [
          `golang.org/toolchain@v0.0.1-go${VERSION}.any/${name}`,
          content,
        ]),
      ),
    );
  });
  const go = (sha256 = sha256Of(zip)): GoArchives => ({ version: VERSION, archives: { [HERE]: { name: 'any', sha256 } } });

  it('the pinned Go is downloaded from the module proxy, builds the SFU, and is removed', async () => {
    const proxy = await serve((_request, response) => response.end(zip));
    const binary = await find(bareMachine('', `${proxy.url},direct`), { go: go() });
    expect(readFileSync(binary, 'utf8')).toMatch(/^built in .*livekit-server\.\w{6}\/modules$/m);
    expect(proxy.asked).toEqual([`/golang.org/toolchain/@v/v0.0.1-go${VERSION}.any.zip`]);
    expect(left()).toEqual(['livekit-server']);
    expect(lines.join('\n')).toMatch(/^SIMPLESIM_SFU_DOWNLOADS is empty[\s\S]*Unpacking Go[\s\S]*The SFU is built/);
  });

  it.each<[what: string, answer: RequestListener, says: RegExp]>([
    ['is another one', (_request, response) => response.end('another'), /any\.zip from http:\S+ has the wrong SHA-256: expected/],
    ['is missing', (_request, response) => response.writeHead(404).end(), /HTTP status 404/],
    ['is only half', sendThenClose, /any\.zip cannot be downloaded from http:/],
  ])('a Go that %s leaves nothing but an error with every reason and a remedy', async (_what, answer, says) => {
    const proxy = await serve(answer);
    const error = await find(bareMachine('', proxy.url), { go: go() }).catch((thrown: Error) => thrown.message);
    expect(error).toMatch(says);
    expect(error).toMatch(/^No LiveKit server can be found, downloaded or built\. .* install Go 1\.26 or newer/);
    expect(error).toContain('\nSIMPLESIM_SFU_DOWNLOADS is empty, so no release of LiveKit is downloaded.\n');
    expect(left()).toEqual([]);
  });

  it('a forbidden proxy receives no request, and a machine without a Go of its own is named', async () => {
    await expect(find(bareMachine(''))).rejects.toThrow('GOPROXY forbids fetching Go from a module proxy.');
    await expect(find(bareMachine(''), { go: { version: VERSION, archives: {} } })).rejects.toThrow(
      `The Go module proxy has no Go for ${process.platform} on ${process.arch}.`,
    );
  });
});

/** A machine with Go: a script that writes the file that it is asked to build. */
function machineWithGo(downloads: string): NodeJS.ProcessEnv {
  const bin = join(folder, 'go-bin');
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, 'go'), FAKE_GO);
  chmodSync(join(bin, 'go'), 0o755);
  return { ...bareMachine(downloads), PATH: bin };
}

function sendThenClose(...[, response]: Parameters<RequestListener>): void {
  response.writeHead(200, { 'content-length': '1000' });
  response.write('half', () => response.destroy());
}
