import { expect, it } from 'vitest';
import { fuzzEnvelopes } from './signed-fuzz.ts';

const SEED = 20_301;
const COUNT = 10_000;

// `npm run lab -- proof envelopes` does the same with a million.
it(`${COUNT} fuzzed envelopes, seed ${SEED}: none reaches the runtime, none throws, each gets one reply`, async () => {
  const { problems, codes } = await fuzzEnvelopes(SEED, COUNT);
  expect(problems).toEqual([]);
  // The fuzz is useful only if it meets every rule.
  expect(Object.keys(codes).sort()).toEqual([
    'ENVELOPE_MALFORMED',
    'ENVELOPE_STALE',
    'ENVELOPE_WRONG_KEY',
    'ENVELOPE_WRONG_ROBOT',
    'ENVELOPE_WRONG_SESSION',
    'GRANT_EXPIRED',
    'PAYLOAD_TOO_LARGE',
  ]);
}, 240_000);
