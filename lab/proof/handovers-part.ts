import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPlatform } from '../../src/launch/platform.ts';
import { layDatabase } from '../../tests/control-service/helpers/pglite-image.ts';
import { createHandovers, HANDOVERS } from '../../tests/e2e/support/handovers.ts';
import { namesOf, type ProofBench, type ProofPart, timesOf, valuesOf } from './part.ts';

async function openBench(): Promise<ProofBench> {
  const dataDir = await mkdtemp(join(tmpdir(), 'simplesim-handovers-'));
  await layDatabase(dataDir);
  const { LIVEKIT_URL: _url, ...env } = process.env;
  const platform = await startPlatform({ port: 0, dataDir, env: { ...env, SIMPLESIM_SFU_PORT: '0' }, onProgress: () => {} });
  const handOver = createHandovers(platform, dataDir);
  return {
    async run(slice) {
      const kind = HANDOVERS[(slice - 1) % HANDOVERS.length] ?? HANDOVERS[0];
      const { readyMs, failures } = await handOver(kind);
      return { done: 1, failures, timesMs: { [kind]: [readyMs] } };
    },
    async close() {
      await platform.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** A slice is one hand-over; the kinds follow each other. */
export const handoversPart: ProofPart = {
  name: 'handovers',
  open: openBench,
  measured(outcomes) {
    const slowest = namesOf(outcomes, 'timesMs')
      .map((kind) => ({ kind, ...timesOf(valuesOf(outcomes, 'timesMs', kind)) }))
      .toSorted((one, other) => other.max - one.max)[0];
    return slowest ? `The slowest: ${slowest.kind}, ${(slowest.max / 1_000).toFixed(1)} s.` : '';
  },
};
