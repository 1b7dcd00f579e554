/** A deployment is pinned and confined, by the text of its files. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { readEvalArgs } from '../../src/launch/eval/eval-args.ts';

const ROOT_DIR = join(import.meta.dirname, '../..');
const DEPLOY_DIR = join(ROOT_DIR, 'deploy');
const WORKFLOWS_DIR = join(ROOT_DIR, '.github/workflows');

interface Service {
  image?: string;
  read_only?: boolean;
  cap_drop?: string[];
  security_opt?: string[];
  networks?: string[];
  ports?: string[];
}

const compose = parse(readFileSync(join(DEPLOY_DIR, 'compose.yaml'), 'utf8'), { merge: true }) as {
  services: Record<string, Service>;
  networks: Record<string, { internal?: boolean } | null>;
};
const services = Object.entries(compose.services);

const dockerfile = readFileSync(join(DEPLOY_DIR, 'Dockerfile'), 'utf8');
const stages = [...dockerfile.matchAll(/^FROM (\S+)(?: AS (\S+))?/gm)];
/** Every image that a deployment takes from a registry. */
const images = [
  ...services.flatMap(([, { image }]) => image ?? []),
  ...stages.flatMap(([, image]) => image ?? []).filter((image) => !stages.some(([, , stage]) => stage === image)),
];

it('every image has a full version, and the SFU has the version that the tests run', () => {
  expect(images.length).toBeGreaterThan(5);
  const [versions, sfuVersion] = [
    images.map((image) => image.replace(/@.*$/, '')),
    /livekit-server (v\S+)/.exec(readFileSync(join(DEPLOY_DIR, '../sfu/go.mod'), 'utf8'))?.[1],
  ];
  // PostgreSQL’s versions have two numbers.
  const hasVersion = (image: string) => /:v?\d+\.\d+\.\d+(?:-[a-z-]+)?$|^postgres:\d+\.\d+-[a-z]+$/.test(image);
  expect(versions.filter((image) => !hasVersion(image))).toEqual([]);
  const ofSfu = versions.filter((image) => image.startsWith('livekit/'));
  expect(ofSfu.length).toBeGreaterThan(2);
  expect(new Set(ofSfu)).toEqual(new Set([`livekit/livekit-server:${sfuVersion}`]));
});

/** No publisher confirms a digest of this tag: docs/deploy.md contains the command that resolves it. */
const WITHOUT_DIGEST = ['postgres:15.18-trixie'];

it('every image is pinned by digest, and each tag by one digest', () => {
  expect(images.filter((image) => !/@sha256:[0-9a-f]{64}$/.test(image))).toEqual(WITHOUT_DIGEST);
  const tags = new Set(images.map((image) => image.replace(/@.*$/, '')));
  expect(new Set(images).size).toBe(tags.size);
});

it.each([
  'action.yml',
  '.github/actions/set-up/action.yml',
  ...readdirSync(WORKFLOWS_DIR).map((file) => `.github/workflows/${file}`),
])('every action of %s is pinned by commit, with its version beside it', (file) => {
  const text = readFileSync(join(ROOT_DIR, file), 'utf8');
  const used = [...text.matchAll(/\buses: (.*)$/gm)].map(([, action]) => action);
  expect(used.length).toBeGreaterThan(1);
  for (const action of used)
    expect(action).toMatch(
      /^(?:\.\/\.github\/(?:actions\/set-up|workflows\/tests\.yml)|[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+)$/,
    );
});

/** The write permissions of release jobs beyond reading the repository; no other job has any. */
const RIGHTS: Record<string, Record<string, Record<string, string>>> = {
  'release.yml': {
    npm: { contents: 'read', 'id-token': 'write' },
    pypi: { contents: 'read', 'id-token': 'write' },
    images: { contents: 'read', packages: 'write' },
    pages: { pages: 'write', 'id-token': 'write' },
  },
};

it.each(readdirSync(WORKFLOWS_DIR))('%s gives its jobs only the rights that they need, and a time limit', (file) => {
  const { permissions, jobs } = parse(readFileSync(join(WORKFLOWS_DIR, file), 'utf8')) as {
    permissions: unknown;
    jobs: Record<string, { uses?: string; 'timeout-minutes'?: number; permissions?: unknown }>;
  };
  expect(permissions).toEqual({ contents: 'read' });
  for (const [name, job] of Object.entries(jobs)) {
    expect([name, job.permissions]).toEqual([name, RIGHTS[file]?.[name]]);
    // The jobs of a called workflow have their own time limits.
    if (job.uses === undefined) expect(job['timeout-minutes']).toBeGreaterThan(0);
  }
});

describe('the action that evaluates an agent', () => {
  const text = readFileSync(join(ROOT_DIR, 'action.yml'), 'utf8');
  const { inputs, runs } = parse(text) as {
    inputs: Record<string, { default?: string }>;
    runs: { steps: { run?: string; env?: Record<string, string> }[] };
  };
  const [step] = runs.steps.filter(({ run }) => run?.includes('eval'));

  /** The options as the shell of a runner passes them to the command, in a folder. */
  const optionsIn = (cwd: string, given: Record<string, string>) => {
    const values: Record<string, string> = { 'github.action_path': ROOT_DIR };
    for (const [name, input] of Object.entries(inputs)) values[`inputs.${name}`] = given[name] ?? input.default ?? '';
    const env = Object.entries(step?.env ?? {}).map(([name, value]) => [
      name,
      value.replace(/\$\{\{ (\S+) \}\}/g, (_, key: string) => values[key] ?? `no ${key}`),
    ]);
    const script = (step?.run ?? '').replace('node "$SIMPLESIM/scripts/simplesim.mjs" eval', 'printf "%s\\n"');
    const words = execFileSync('bash', ['-eo', 'pipefail', '-c', script], {
      cwd,
      env: { ...process.env, ...Object.fromEntries(env) },
      encoding: 'utf8',
    });
    return readEvalArgs(words.trimEnd().split('\n'));
  };

  it('the action that evaluates an agent has at most 40 lines, and a sentence for each input', () => {
    expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(40);
    for (const input of Object.values(inputs)) expect(input).toMatchObject({ description: expect.stringMatching(/\S/) });
  });

  it('the action that evaluates an agent runs an existing command, on all tasks by default', () => {
    const all = optionsIn(ROOT_DIR, { agent: 'planner' });
    expect(all).toMatchObject({
      agent: 'planner',
      outDir: 'results',
      minSuccess: 0.8,
      seeds: [1, 2, 3, 4, 5],
      compareFile: null,
    });
    expect(all?.taskFiles).toEqual([join(ROOT_DIR, 'tasks')]);
    const some = optionsIn(ROOT_DIR, { agent: 'python "my agent.py"; exit 9', tasks: 'tasks/fetch tasks/sort', seeds: '7' });
    expect(some).toMatchObject({ agent: 'python "my agent.py"; exit 9', seeds: [7] });
    expect(some?.taskFiles).toEqual(['tasks/fetch', 'tasks/sort']);
  });

  it('the action that evaluates an agent compares with an existing baseline', () => {
    const withBaseline = mkdtempSync(join(tmpdir(), 'simplesim-baseline-'));
    writeFileSync(join(withBaseline, 'eval-baseline.json'), '{}');
    expect(optionsIn(withBaseline, { agent: 'planner' })?.compareFile).toBe('eval-baseline.json');
    rmSync(withBaseline, { recursive: true });
  });
});

it.each(services)('%s can neither gain rights nor change its image', (_, service) => {
  expect(service.read_only).toBe(true);
  expect(service.cap_drop).toEqual(['ALL']);
  expect(service.security_opt).toEqual(['no-new-privileges:true']);
});

it('only the services that need the database and Redis can reach them', () => {
  const on = (network: string) => services.filter(([, { networks }]) => networks?.includes(network)).map(([name]) => name);
  expect(on('database')).toEqual(['control-service', 'postgres']);
  expect(on('rooms')).toEqual(['redis', 'livekit-1', 'livekit-2']);
  for (const name of ['database', 'rooms']) expect(compose.networks[name]?.internal).toBe(true);
  for (const name of ['postgres', 'redis']) {
    expect(compose.services[name]?.networks).toHaveLength(1);
    expect(compose.services[name]?.ports).toBeUndefined();
  }
});

it('secrets are made once, whole, for their owner alone', () => {
  const root = mkdtempSync(join(tmpdir(), 'simplesim-deploy-'));
  try {
    mkdirSync(join(root, 'deploy'));
    const script = join(root, 'deploy/make-secrets.sh');
    cpSync(join(DEPLOY_DIR, 'make-secrets.sh'), script);
    const folder = join(root, 'deploy/secrets');
    const read = () =>
      Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')] as const));
    execFileSync('sh', [script]);
    const { 'redis.env': redis, ...others } = read();
    expect(redis).toMatch(/^REDIS_PASSWORD=[0-9a-f]{48}\n$/);
    expect(Object.keys(others).sort()).toEqual(['control-service.env', 'livekit_keys', 'postgres_password']);
    for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o777, name).toBe(0o600);
    execFileSync('sh', [script]);
    expect(read()).toEqual({ 'redis.env': redis, ...others });
    // The files of a deployment of an earlier version.
    rmSync(join(folder, 'redis.env'));
    execFileSync('sh', [script]);
    expect(read()).toEqual({ 'redis.env': expect.stringMatching(/^REDIS_PASSWORD=/), ...others });
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
});

it('the versions of Node in README and package.json are those of the nightly tests, and the images run one of them', () => {
  const read = (path: string) => readFileSync(join(DEPLOY_DIR, path), 'utf8');
  const nightly = parse(read('../.github/workflows/nightly.yml')) as {
    jobs: { tests: { strategy: { matrix: { node: number[] } } } };
  };
  const tested = nightly.jobs.tests.strategy.matrix.node;
  const [, least, listed = ''] = /^You need Node (\S+) or newer \(tested with ([^)]+)\)/m.exec(read('../README.md')) ?? [];
  expect(listed.split(/, | and /).map(Number)).toEqual(tested);
  expect(JSON.parse(read('../package.json')).engines.node).toBe(`>=${least}`);
  expect(Number.parseInt(least ?? '', 10)).toBe(Math.min(...tested));
  for (const [, major] of read('Dockerfile').matchAll(/^FROM node:(\d+)/gm)) expect(tested).toContain(Number(major));
});
