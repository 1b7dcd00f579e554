import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { pinnedVersion } from '../../src/launch/sfu-binary.ts';

const read = (path: string): string => readFileSync(join(import.meta.dirname, '../..', path), 'utf8');

it('the deployed SFU has the version that is tested', () => {
  expect(read('deploy/compose.yaml')).toContain(`livekit/livekit-server:v${pinnedVersion()}@sha256:`);
});

it('the proxy serves every path of the control service except its metrics and the one-time link of a local start', () => {
  const [, pattern = ''] = /SERVICE_PATH = (\/.*\/);/.exec(read('src/launch/front.ts')) ?? [];
  const [, names = ''] = /\(\?:([^)]+)\)/.exec(pattern) ?? [];
  const [, served = ''] = /@service path (.*)/.exec(read('deploy/Caddyfile')) ?? [];
  const roots = new Set(served.split(' ').map((path) => path.split('/')[1]));
  expect([...roots].sort()).toEqual(
    names
      .replaceAll('\\', '')
      .split('|')
      .filter((name) => name !== 'metrics' && name !== 'robots/open')
      .sort(),
  );
});
