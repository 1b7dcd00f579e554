import { readFileSync } from 'node:fs';
import { join } from 'node:path';

let version: string | null = null;

/** Returns the version of the product, as its package states it; `src/` and `compiled/` lie equally deep. */
export function productVersion(): string {
  if (version === null) {
    const text = readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8');
    version = String((JSON.parse(text) as { version?: unknown }).version ?? '');
  }
  return version;
}
