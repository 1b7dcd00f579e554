/**
 * Loaded before a program (`--import`, with `--expose-gc`): at SIGUSR2 it collects its garbage and writes its heap size into
 * HEAP_PROBE_DIR, in a file named after its process.
 */
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

process.on('SIGUSR2', () => {
  globalThis.gc?.();
  const file = join(process.env.HEAP_PROBE_DIR ?? '.', String(process.pid));
  const { heapUsed, rss } = process.memoryUsage();
  // Written atomically, so that a waiting reader finds a complete file.
  writeFileSync(`${file}.part`, JSON.stringify({ heapBytes: heapUsed, residentBytes: rss }));
  renameSync(`${file}.part`, file);
});
