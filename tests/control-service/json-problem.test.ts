import { describe, expect, it } from 'vitest';
import { findJsonProblem, JSON_DEPTH_MAX } from '../../src/control-service/json-problem.ts';

describe('a text that is not JSON', () => {
  it.each([
    ['{"name": "Ada", }', 1, 17, 'a name in double quotes is expected'],
    ['{\n  "name": "Ada"\n  "model": "m"}', 3, 3, '"," or "}" is expected'],
    ["{'name': 1}", 1, 2, 'there is something that JSON does not have; texts and names stand in double quotes'],
    ['{"name" 1}', 1, 9, '":" is expected'],
    ['{"name": tru}', 1, 10, 'there is something that JSON does not have; texts and names stand in double quotes'],
    ['[1 2]', 1, 4, '"," or "]" is expected'],
    ['[,]', 1, 2, 'a value is expected'],
    ['[1,]', 1, 4, 'a value is expected'],
    ['01', 1, 2, 'there is something after the end'],
    ['{"name": -Infinity}', 1, 10, 'there is -Infinity, which is not JSON; send a finite number'],
    ['{"name": 1e999}', 1, 10, 'there is a number that is too large'],
    ['{"name": "Ada', 1, 10, 'a string begins that does not end in its line'],
    ['{"name":', 1, 9, 'the text ends too early'],
    ['{"name": "A\\x"}', 1, 10, 'a string begins with an escape in it that JSON does not have'],
    ['{"name": "A\nB"}', 1, 10, 'a string begins that does not end in its line'],
    ['{"name": "A\u0001B"}', 1, 10, 'a string begins with a control character in it; escape it'],
    ['{"name": 1.}', 1, 10, 'a number begins that is not complete'],
    ['{"name": 1 // one\n}', 1, 12, 'there is a comment, which JSON does not have'],
    ['\ufeff{}', 1, 1, 'there is something that JSON does not have; texts and names stand in double quotes'],
    ['{"pin": 12AB}', 1, 11, 'there is something that JSON does not have; texts and names stand in double quotes'],
    ['{"pin": AB12}', 1, 9, 'there is something that JSON does not have; texts and names stand in double quotes'],
    ['{} {}', 1, 4, 'there is something after the end'],
    ['[}', 1, 2, 'a value is expected'],
    ['[1}', 1, 3, '"," or "]" is expected'],
    ['['.repeat(JSON_DEPTH_MAX + 1), 1, JSON_DEPTH_MAX + 1, `the nesting is deeper than ${JSON_DEPTH_MAX}`],
  ])('reports what is wrong and where: %j', (text, line, column, problem) => {
    expect(findJsonProblem(text)).toEqual({ line, column, problem });
  });

  it('accepts and rejects the same texts as JSON.parse', () => {
    const next = seededNumbers(7);
    const seeds = [
      '{"a": [1, -2.5e3, "x\\u00e9\\n", true, false, null], "b": {"c": {}}}',
      '[]',
      '"\\"\\\\"',
      '-0.1E+2',
      ' {"k" : [ ] } ',
    ];
    const marks = [...'{}[]:,"\\u0eE+-.1 \n\ttfn'];
    let refused = 0;
    for (let round = 0; round < 20_000; round += 1) {
      const chars = [...(seeds[next(seeds.length)] ?? '')];
      for (let change = next(3); change >= 0; change -= 1) {
        chars.splice(next(chars.length + 1), next(2), ...(next(3) > 0 ? [marks[next(marks.length)] ?? ''] : []));
      }
      const text = chars.join('');
      const isJson = parses(text);
      if (!isJson) refused += 1;
      const found = findJsonProblem(text);
      expect([text, found === null]).toEqual([text, isJson]);
      // The other parser finds the place of every error that JSON.parse reports.
      expect([text, found?.problem]).not.toEqual([text, 'a JSON text is expected']);
    }
    expect(refused).toBeGreaterThan(5_000);
    expect(refused).toBeLessThan(19_000);
  });
});

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Returns integers below a bound, the same for each seed (a linear congruential generator; Numerical Recipes, chapter 7). */
function seededNumbers(seed: number): (bound: number) => number {
  let state = seed;
  return (bound) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * bound);
  };
}
