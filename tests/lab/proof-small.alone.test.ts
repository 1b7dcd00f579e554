/** The parts of the proof by volume that no other test runs, at the size of `npm test`. */
import { dispose as disposeLiveKit } from '@livekit/rtc-node';
import { afterAll, expect, it } from 'vitest';
import { loadPart } from '../../lab/proof/parts.ts';
import { PROOF_CATALOGUE, type ProofName } from '../../scripts/docs/proof-catalogue.ts';

// Separate tests run the others: the storm's suites, replays, kills, envelopes, the worker under strange calls, a hidden page.
const SMALL: ProofName[] = [
  ...(['races', 'faults', 'calls', 'http', 'reloads'] as const),
  ...(['agent-stops', 'agent-once', 'agent-progress', 'agent-memory', 'agent-views', 'agent-exam'] as const),
];

afterAll(() => disposeLiveKit());

it.each(SMALL)(
  'the proof %s, small',
  async (name) => {
    const part = await loadPart(name);
    const bench = await part.open('smoke');
    const failures: string[] = [];
    try {
      let done = 0;
      for (let slice = 1; done < PROOF_CATALOGUE[name].sizes.smoke; slice += 1) {
        const outcome = await bench.run(slice);
        done += outcome.done;
        failures.push(...outcome.failures.map((failure) => `slice ${slice}: ${failure}`));
      }
    } finally {
      await bench.close();
    }
    expect(failures).toEqual([]);
  },
  300_000,
);
