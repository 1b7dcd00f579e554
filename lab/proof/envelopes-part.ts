import { fuzzEnvelopes } from '../../tests/runtime/host/signed-fuzz.ts';
import type { ProofPart } from './part.ts';

const ENVELOPES = 10_000;

/** A slice is one verifier with one trusted key. */
export const envelopesPart: ProofPart = {
  name: 'envelopes',
  open: async () => ({
    async run(slice) {
      const { problems, codes } = await fuzzEnvelopes(slice, ENVELOPES);
      const samples = Object.fromEntries(Object.entries(codes).map(([code, count]) => [code, [count]]));
      return { done: ENVELOPES, failures: problems, samples };
    },
    close: async () => {},
  }),
  measured(outcomes) {
    const codes: Record<string, number> = {};
    for (const { samples = {} } of outcomes) {
      for (const [code, [count = 0]] of Object.entries(samples)) codes[code] = (codes[code] ?? 0) + count;
    }
    return Object.entries(codes)
      .sort(([, a], [, b]) => b - a)
      .map(([code, count]) => `${code} ${count.toLocaleString('en-GB')}`)
      .join(', ');
  },
};
