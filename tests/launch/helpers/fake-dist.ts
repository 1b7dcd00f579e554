import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder that looks like a built viewer, with a secret beside it and links that lead out. */
export function makeFakeDist(): { distDir: string; dataDir: string; root: string } {
  const root = mkdtempSync(join(tmpdir(), 'simplesim-launch-'));
  const distDir = join(root, 'dist');
  mkdirSync(join(distDir, 'assets'), { recursive: true });
  writeFileSync(join(root, 'secret.txt'), 'outside');
  writeFileSync(join(distDir, 'index.html'), '<!doctype html><title>fake viewer</title>');
  writeFileSync(join(distDir, 'robots.html'), '<!doctype html><title>fake robots</title>');
  writeFileSync(join(distDir, 'robots.txt'), 'User-agent: *');
  writeFileSync(join(distDir, '.env'), 'HIDDEN=1');
  writeFileSync(join(distDir, 'assets/index-a1B2c3D4.js'), 'export {};');
  writeFileSync(join(distDir, 'assets/rapier-a1B2c3D4.wasm'), new Uint8Array([0, 0x61, 0x73, 0x6d]));
  symlinkSync(join(root, 'secret.txt'), join(distDir, 'link.txt'));
  return { distDir, dataDir: join(root, 'data'), root };
}
