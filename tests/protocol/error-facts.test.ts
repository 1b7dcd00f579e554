import { expect, it } from 'vitest';
import { errorFacts } from '../../src/common/error-facts.ts';

const SECRET = 'hush-hush';

it('the log of an error has kind, code and places, through all its causes, also for values that are not errors', () => {
  expect(errorFacts('text')).toEqual({ error: 'string', at: '' });
  const loop = new Error('a');
  loop.cause = loop;
  expect(errorFacts(loop).error).toBe('Error');
  const coded = Object.assign(new RangeError(SECRET), { code: `no code: ${SECRET}` });
  expect(errorFacts(coded).error).toBe('RangeError');
  const full = Object.assign(new Error('disk'), { code: 'ENOSPC' });
  expect(errorFacts(new TypeError('x', { cause: full })).error).toBe('TypeError < Error ENOSPC');
});

it('the log of an error never contains its text, even if the text looks like a place', () => {
  const facts = errorFacts(new TypeError(`no\n    at ${SECRET} (${SECRET}:1:1)`, { cause: new Error(SECRET) }));
  expect(facts.at).toContain('error-facts.test.ts:');
  expect(JSON.stringify(facts)).not.toContain(SECRET);
});
