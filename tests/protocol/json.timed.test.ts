import { describe, expect, it } from 'vitest';
import { fitsRpc, parsePayload, utf8Bytes } from '../../src/protocol/wire/json.ts';
import { PAYLOAD_MAX_DEPTH, PAYLOAD_MAX_VALUES, RPC_PAYLOAD_MAX_BYTES } from '../../src/protocol/wire/limits.ts';

const reasonFor = (text: string): string | null => {
  const parsed = parsePayload(text);
  return parsed.ok ? null : parsed.reason;
};
const list = (values: number): string => `[${Array.from({ length: values - 1 }, () => '","').join(',')}]`;
const nested = (depth: number): string => `${'[{"a":'.repeat(depth / 2)}0${'}]'.repeat(depth / 2)}`;

describe('a payload that is not JSON', () => {
  it.each([
    ['{"vx":NaN}', 'NaN'],
    ['{"vx":-Infinity}', '-Infinity'],
    ['[1,Infinity]', 'Infinity'],
    ['NaN', 'NaN'],
    ['{"a":"\\"","vx":NaN}', 'NaN'],
    ['{"a":"\\\\","vx":NaN}', 'NaN'],
    ['{"a":"say \\"NaN\\"","vx":-NaN}', '-NaN'],
    ['["NaN" NaN "', 'NaN'],
  ])('%s: the rejection names %s', (text, special) => {
    expect(reasonFor(text)).toBe(`The payload holds ${special}, which is not JSON; send a finite number.`);
  });

  it.each(['{"a":"NaN"', '{"a":"\\"NaN', '"NaN', 'NaNa', 'aNaN', '_Infinity', 'Infinity2', '{"a":"\\\\\\"Infinity'])(
    '%s: the rejection does not name text that only looks like such a number',
    (text) => {
      expect(reasonFor(text)).toBe('The payload is not JSON text; send one JSON object.');
    },
  );
});

describe('a payload with too many values', () => {
  it('a payload is read up to the limits', () => {
    expect(parsePayload(list(PAYLOAD_MAX_VALUES))).toMatchObject({ ok: true });
    expect(parsePayload(nested(PAYLOAD_MAX_DEPTH))).toMatchObject({ ok: true });
  });

  it('a payload beyond a limit is rejected with that limit', () => {
    expect(reasonFor(list(PAYLOAD_MAX_VALUES + 1))).toBe(`The payload holds more than ${PAYLOAD_MAX_VALUES} values; send fewer.`);
    expect(reasonFor(nested(PAYLOAD_MAX_DEPTH + 2))).toBe(
      `The payload is nested deeper than ${PAYLOAD_MAX_DEPTH} levels; send it flatter.`,
    );
  });

  it('brackets and commas inside texts do not count as values', () => {
    const text = JSON.stringify({ a: '",[{:'.repeat(2_000), '[{,\\"': '\\'.repeat(2_000) });
    expect(parsePayload(text)).toEqual({ ok: true, value: JSON.parse(text) });
  });
});

/** Among ways to read a text whose cost per character grows with its length, the mildest is quadratic. */
describe('the time to read a payload is in proportion to its length', () => {
  it.each([
    ['an open string of escaped quotes', (chars: number) => `"${'\\"'.repeat(chars / 2)}`],
    ['open strings after escapes', (chars: number) => '\\"'.repeat(chars / 2)],
    ['words', (chars: number) => 'N'.repeat(chars)],
    ['almost NaN', (chars: number) => '-NaNa'.repeat(chars / 5)],
    ['white space', (chars: number) => `${' '.repeat(chars)}x`],
  ])('the reading time is linear for a payload of %s', (_, make) => {
    const shortestMs = (text: string): number => {
      const times = Array.from({ length: 5 }, () => {
        const startedMs = performance.now();
        parsePayload(text);
        return performance.now() - startedMs;
      });
      return Math.min(...times);
    };
    const [short, long] = [make(500), make(64_000)];
    for (let warmUp = 0; warmUp < 20; warmUp += 1) shortestMs(short);
    // 128 times as long: 16,384 times the cost if it were quadratic.
    expect(shortestMs(long) / shortestMs(short)).toBeLessThan(1_500);
  });
});

describe('the length of a text in UTF-8', () => {
  it.each(['', 'abc', 'é☂', '😀', 'a😀b', '\ud800', '\udc00\ud800', '\ud800\ud83d\ude00', 'x'.repeat(100_000)])(
    'the UTF-8 length of a text is the number of its bytes (%#)',
    (text) => {
      expect(utf8Bytes(text)).toBe(Buffer.byteLength(text));
    },
  );

  it('a text whose bytes exactly fill one call fits, and one more byte does not', () => {
    expect(fitsRpc('é'.repeat(RPC_PAYLOAD_MAX_BYTES / 2))).toBe(true);
    expect(fitsRpc(`${'é'.repeat(RPC_PAYLOAD_MAX_BYTES / 2)}a`)).toBe(false);
  });
});
