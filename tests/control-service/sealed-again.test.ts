import { expect, it } from 'vitest';
import { sealedAgain } from '../../src/control-service/operations/sealed-again.ts';
import { CROWDED } from '../../src/protocol/signed-texts.ts';

/** The refusals of a sealed call that are answered with another envelope, and how soon. */

const whens = (code: string, isStop: boolean, details: Record<string, unknown> = {}) =>
  [1, 2, 3, 4].map((refusals) => sealedAgain({ code, details }, { refusals, isStop }).when);

it.each([
  ['ENVELOPE_OUT_OF_ORDER', {}, ['at-once', 'at-once', 'at-once', 'later'], ['at-once', 'at-once', 'at-once', 'later']],
  ['ENVELOPE_REPLAYED', {}, ['at-once', 'at-once', 'at-once', 'later'], ['at-once', 'at-once', 'at-once', 'later']],
  ['ENVELOPE_STALE', { now_ms: 7 }, ['at-once', 'no', 'no', 'no'], ['at-once', 'at-once', 'at-once', 'later']],
  ['GRANT_EXPIRED', {}, ['at-once', 'no', 'no', 'no'], ['at-once', 'no', 'no', 'no']],
  ['NOT_READY', { reason: CROWDED }, ['no', 'no', 'no', 'no'], ['later', 'later', 'later', 'later']],
  ['NOT_READY', {}, ['no', 'no', 'no', 'no'], ['no', 'no', 'no', 'no']],
  ['constructor', {}, ['no', 'no', 'no', 'no'], ['no', 'no', 'no', 'no']],
])('%s %j: a call %j, a stop %j', (code, details, ofCall, ofStop) => {
  expect(whens(code, false, details)).toEqual(ofCall);
  expect(whens(code, true, details)).toEqual(ofStop);
});

it('the next envelope uses the clock that the runtime reports, and has another grant if the first has ended', () => {
  const call = { refusals: 1, isStop: false };
  expect(sealedAgain({ code: 'ENVELOPE_STALE', details: { now_ms: 7 } }, call)).toMatchObject({
    runtimeNowMs: 7,
    needsGrant: false,
  });
  expect(sealedAgain({ code: 'ENVELOPE_STALE', details: { now_ms: '7' } }, call)).toMatchObject({ runtimeNowMs: null });
  expect(sealedAgain({ code: 'GRANT_EXPIRED' }, call)).toMatchObject({ runtimeNowMs: null, needsGrant: true });
});
