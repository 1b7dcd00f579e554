import { describe, expect, it } from 'vitest';
import { fitsRpc, parsePayload, utf8Bytes } from '../../src/protocol/json.ts';
import { PAYLOAD_MAX_DEPTH, PAYLOAD_MAX_VALUES, RPC_PAYLOAD_MAX_BYTES } from '../../src/protocol/limits.ts';

const reasonFor = (text: string): string | null => {
  const parsed = parsePayload(text);
  return parsed.ok ? null : parsed.reason;
};
const list = (values: number): string => `[${Array.from({ length: values - 1 }, () => '","').join(',')}]`;
const nested = (depth: number): string => `${'[{"a":'.repeat(depth / 2)}0${'}]'.repeat(depth / 2)}`;

describe('a payload that is no JSON', () => {
  it.each([
    ['{"vx":NaN}', 'NaN'],
    ['{"vx":-Infinity}', '-Infinity'],
    ['[1,Infinity]', 'Infinity'],
    ['NaN', 'NaN'],
    ['{"a":"\\"","vx":NaN}', 'NaN'],
    ['{"a":"\\\\","vx":NaN}', 'NaN'],
    ['{"a":"say \\"NaN\\"","vx":-NaN}', '-NaN'],
    ['["NaN" NaN "', 'NaN'],
  ])('%s: %s is named', (text, special) => {
    expect(reasonFor(text)).toBe(`The payload holds ${special}, which is not JSON; send a finite number.`);
  });

  it.each(['{"a":"NaN"', '{"a":"\\"NaN', '"NaN', 'NaNa', 'aNaN', '_Infinity', 'Infinity2', '{"a":"\\\\\\"Infinity'])(
    '%s: what only looks like such a number is not',
    (text) => {
      expect(reasonFor(text)).toBe('The payload is not JSON text; send one JSON object.');
    },
  );
});

describe('a payload that holds too much', () => {
  it('is read up to its limits', () => {
    expect(parsePayload(list(PAYLOAD_MAX_VALUES))).toMatchObject({ ok: true });
    expect(parsePayload(nested(PAYLOAD_MAX_DEPTH))).toMatchObject({ ok: true });
  });

  it('is refused with the limit', () => {
    expect(reasonFor(list(PAYLOAD_MAX_VALUES + 1))).toBe(`The payload holds more than ${PAYLOAD_MAX_VALUES} values; send fewer.`);
    expect(reasonFor(nested(PAYLOAD_MAX_DEPTH + 2))).toBe(
      `The payload is nested deeper than ${PAYLOAD_MAX_DEPTH} levels; send it flatter.`,
    );
  });

  it('is not counted by what stands in its texts', () => {
    const text = JSON.stringify({ a: '",[{:'.repeat(2_000), '[{,\\"': '\\'.repeat(2_000) });
    expect(parsePayload(text)).toEqual({ ok: true, value: JSON.parse(text) });
  });
});

/** Of ways to read a text that cost more for each character the longer it is, the mildest is quadratic. */
describe('reading costs in proportion to the length', () => {
  it.each([
    ['an open string of escaped quotes', (chars: number) => `"${'\\"'.repeat(chars / 2)}`],
    ['open strings after escapes', (chars: number) => '\\"'.repeat(chars / 2)],
    ['words', (chars: number) => 'N'.repeat(chars)],
    ['almost NaN', (chars: number) => '-NaNa'.repeat(chars / 5)],
    ['white space', (chars: number) => `${' '.repeat(chars)}x`],
  ])('of %s', (_, make) => {
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
    'is that of its bytes (%#)',
    (text) => {
      expect(utf8Bytes(text)).toBe(Buffer.byteLength(text));
    },
  );

  it('fits a call to the last byte', () => {
    expect(fitsRpc('é'.repeat(RPC_PAYLOAD_MAX_BYTES / 2))).toBe(true);
    expect(fitsRpc(`${'é'.repeat(RPC_PAYLOAD_MAX_BYTES / 2)}a`)).toBe(false);
  });
});
