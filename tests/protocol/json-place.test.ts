import { expect, it } from 'vitest';
import { whereNoJson } from '../../src/common/json-place.ts';
import { seeded } from '../oracle/chance.ts';

it.each([
  ['{\n  "a": 1,\n  "b" 2\n}', 3, 7, '":" is expected'],
  ['{"a": 1,}', 1, 9, 'a name in double quotes is expected'],
  ['[1 2]', 1, 4, '"," or "]" is expected'],
  ['{"a": }', 1, 7, 'a value is expected'],
  ["{'a': 1}", 1, 2, 'a name in double quotes or "}" is expected'],
  ['{"a": [1, 2', 1, 12, 'the text ends too early'],
  ['', 1, 1, 'the text ends too early'],
  ['{} {}', 1, 4, 'there is something after the end'],
  ['["a\nb"]', 1, 4, 'a string holds a sign that must be escaped'],
  ['["a', 1, 4, 'a string does not end'],
  ['[NaN]', 1, 2, 'a value or "]" is expected'],
  ['[01]', 1, 2, 'a value or "]" is expected'],
  ['\r\n\r\n  x', 3, 3, 'a value is expected'],
])('the place at which %j stops being JSON has a line, a column and a reason', (text, line, column, problem) => {
  expect(whereNoJson(text)).toEqual({ line, column, problem });
});

it('a text is JSON exactly when JSON.parse reads it', () => {
  const random = seeded(11);
  const parts = [
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"a"',
    '"\\u0041"',
    '"\\x"',
    '1',
    '-0',
    '0.5e-3',
    '01',
    '.5',
    'true',
    'nul',
    ' ',
    '\n',
    '"',
    '\\',
  ];
  for (let round = 0; round < 20_000; round += 1) {
    const text = Array.from({ length: Math.floor(random() * 8) }, () => parts[Math.floor(random() * parts.length)]).join('');
    let isJson = true;
    try {
      JSON.parse(text);
    } catch {
      isJson = false;
    }
    expect(whereNoJson(text) === null, text).toBe(isJson);
  }
});

it('a huge text does not overflow the stack', () => {
  expect(whereNoJson('['.repeat(1_000_000))).toMatchObject({ problem: 'the text ends too early' });
  expect(whereNoJson(`["${'x'.repeat(2_000_000)}"]`)).toBeNull();
  expect(whereNoJson(`["${'\\n'.repeat(500_000)}"]`)).toBeNull();
});
