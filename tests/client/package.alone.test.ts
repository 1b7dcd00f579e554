import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildPackage } from '../../scripts/client/build-package.ts';
import { CLIENT_ENTRIES } from '../../scripts/declarations.ts';
import { VERSION } from '../../src/client/index.ts';

/** The library as others get it: packed, installed in a folder of its own, and used without our tools. */

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '../..');
let dir: string;
let packedBytes: number;

const MANUAL = readFileSync(join(ROOT, 'docs/libraries.md'), 'utf8');
const SAMPLES = [...MANUAL.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, code = '']) => code);

/** Runs the line of the install section that starts so, as it is printed, in the folder of the program. */
async function documented(start: string): Promise<void> {
  const line = MANUAL.split('\n').find((one) => one.startsWith(start));
  if (line === undefined) throw new Error(`The install section has no line that begins with ${start}.`);
  await run('sh', ['-c', line], { cwd: dir });
}

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'platform-robot-sdk-'));
  const built = join(dir, 'built');
  await buildPackage(built);
  const { stdout } = await run('npm', ['pack', '--silent', '--pack-destination', dir], { cwd: built });
  const tarball = join(dir, stdout.trim());
  packedBytes = statSync(tarball).size;
  const modules = join(dir, 'node_modules');
  const target = join(modules, 'platform-robot-sdk');
  mkdirSync(target, { recursive: true });
  await run('tar', ['-xzf', tarball, '-C', target, '--strip-components=1']);
  for (const name of ['zod', 'jose', 'livekit-client', '@livekit/rtc-node', '@types/node', 'undici-types']) {
    const link = join(modules, name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules', name), link);
  }
  await documented('npm init');
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const AGENT = `
import { Client, connect, PlatformAPIError, type ActionEvent, type ActionResult, type ResultOf } from 'platform-robot-sdk';

import { generateRoomKeyUrl, type RoomKeyUrlOptions } from 'platform-robot-sdk/experimental';

export const linkOf = (client: Client, robotId: string, options: RoomKeyUrlOptions): Promise<string> =>
  generateRoomKeyUrl(client, robotId, options);

export async function agent(robotId: string, signal: AbortSignal): Promise<string> {
  const client = new Client({ apiKey: 'sk_live_x' });
  await using session = await connect(client, robotId, { workerNames: [], keepSession: true, signal });
  const picked: ActionResult<ResultOf<'pick_entity'>> = await session.invoke('pick_entity', {
    target: { kind: 'entity', entity_id: 'cube_0' },
  });
  for await (const event of session.start('go_to', { target: { kind: 'entity', entity_id: 'pad_B' } })) told(event);
  const { jpeg, frame } = await session.getVision('pov', { annotations: ['boxes'] });
  // @ts-expect-error a target is needed
  await session.invoke('go_to', {});
  return picked.status === 'done' ? picked.result.held + jpeg.length + frame.step : picked.error.message;
}
const told = (event: ActionEvent): string => event.phase;
export const isConflict = (error: unknown): boolean => error instanceof PlatformAPIError && error.statusCode === 409;
`;

describe('platform-robot-sdk in the clone', () => {
  it('platform-robot-sdk in the clone is imported by the names of the package', async () => {
    const names = CLIENT_ENTRIES.map((name) => (name === 'index' ? 'platform-robot-sdk' : `platform-robot-sdk/${name}`));
    const program = `
      import * as sdk from 'platform-robot-sdk';
      for (const name of ${JSON.stringify(names)})
        console.log(name, (await import(name)).generateRoomKeyUrl === sdk.generateRoomKeyUrl);`;
    const tsx = pathToFileURL(join(ROOT, 'node_modules/tsx/dist/loader.mjs')).href;
    const { stdout } = await run(process.execPath, ['--import', tsx, '--input-type=module', '-e', program], { cwd: ROOT });
    expect(stdout).toBe(names.map((name) => `${name} true\n`).join(''));
  });
});

describe('platform-robot-sdk as a package', () => {
  it('the package is small', () => expect(packedBytes).toBeLessThan(150_000));

  it('the package has no types of its inside, except the symbol with which Node prints objects', () => {
    const inside = readdirSync(join(dir, 'node_modules/platform-robot-sdk/types/client/internal'), { recursive: true });
    expect(inside).toEqual(['redact.d.ts']);
  });

  it('the package is imported by plain Node', async () => {
    const program = `
      import * as sdk from 'platform-robot-sdk';
      const client = new sdk.Client({ apiKey: 'sk_live_secret', rcsUrl: 'http://127.0.0.1:9', maxRetries: 0 });
      const refused = await client.robots.list().catch((error) => error.name);
      const { generateRoomKey } = await import('platform-robot-sdk/experimental');
      console.log(sdk.VERSION, String(client), refused, generateRoomKey === sdk.generateRoomKey);`;
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', program], { cwd: dir });
    expect(stdout).toBe(`${VERSION} Client(rcsUrl=http://127.0.0.1:9, apiKey=[redacted]) PlatformConnectionError true\n`);
  });

  it('the package has a manual whose samples plain Node accepts as they are printed', async () => {
    expect(SAMPLES.length).toBeGreaterThan(3);
    for (const [index, code] of SAMPLES.entries()) {
      const file = join(dir, `sample-${index}.mjs`);
      writeFileSync(file, code);
      await run(process.execPath, ['--check', file]);
    }
  });

  it('the package has a first sample that tsx runs in a folder made as the manual describes', async () => {
    expect(MANUAL).toMatch(/^npm install -D tsx\b/m);
    writeFileSync(join(dir, 'agent.ts'), SAMPLES[0] ?? '');
    const tsx = join(ROOT, 'node_modules/tsx/dist/cli.mjs');
    // No service answers there: the program reaches its first request.
    const env = {
      ...process.env,
      PLATFORM_API_KEY: 'sk_live_x',
      PLATFORM_RCS_URL: 'http://127.0.0.1:9',
      PLATFORM_ROBOT_SDK_MAX_RETRIES: '0',
    };
    const said = await run(process.execPath, [tsx, 'agent.ts'], { cwd: dir, env }).catch(
      (error: { stderr: string }) => error.stderr,
    );
    expect(said).toContain('PlatformConnectionError');
  });

  it.each([
    ['bundler', 'esnext', ['es2023', 'esnext.disposable', 'dom'], []],
    ['node16', 'node16', ['es2023', 'esnext.disposable'], ['node']],
  ])('the package type-checks with moduleResolution %s', async (moduleResolution, module, lib, types) => {
    const project = join(dir, moduleResolution);
    mkdirSync(project);
    writeFileSync(join(project, 'agent.ts'), AGENT);
    const compilerOptions = { strict: true, target: 'es2022', module, moduleResolution, lib, types, noEmit: true };
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['agent.ts'] }));
    const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
    const problems = await run(process.execPath, [tsc, '-p', project]).then(
      () => '',
      (error: { stdout: string }) => error.stdout,
    );
    expect(problems).toBe('');
  });
});
