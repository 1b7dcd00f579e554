import { expect, test } from 'vitest';
import { promiseTest } from './promise-test.ts';
import { rangesSuite } from './ranges.ts';
import { limitsOf, takesBranches, valuesAround, withValue } from './ranges-schema.ts';

promiseTest(rangesSuite);

test('P11 the sweep finds every limit of a schema, behind unions and in lists, and those of unknown kinds', () => {
  const schema = {
    type: 'object',
    required: ['to'],
    additionalProperties: false,
    properties: {
      to: {
        oneOf: [
          { properties: { kind: { const: 'near' }, m: { type: 'number', exclusiveMinimum: 0 } } },
          {
            properties: { kind: { const: 'far' }, ids: { type: 'array', maxItems: 3, items: { type: 'string', pattern: '^a' } } },
          },
        ],
      },
      count: { type: 'integer', minimum: -9007199254740991, maximum: 4, multipleOf: 2 },
      v: { type: 'number', description: 'forward; beyond ±1.5 it is clamped and the reply notes it' },
    },
  };
  const found = [...limitsOf('skill', schema)];
  expect(found.map(({ key }) => key).sort()).toEqual(
    [
      'skill.additionalProperties',
      'skill.count.maximum',
      'skill.count.multipleOf',
      'skill.required',
      'skill.to[far].ids.maxItems',
      'skill.to[far].ids[].pattern',
      'skill.to[far].kind.const',
      'skill.to[near].kind.const',
      'skill.to[near].m.exclusiveMinimum',
      'skill.v.clamp',
    ].sort(),
  );
  const near = found.find(({ key }) => key === 'skill.to[near].m.exclusiveMinimum');
  if (!near) throw new Error('not found');
  expect(takesBranches({ to: { kind: 'near' } }, near)).toBe(true);
  expect(takesBranches({ to: { kind: 'far' } }, near)).toBe(false);
  expect(valuesAround(near).past).toContain(0);
  expect(withValue({ to: { kind: 'near' } }, near.path, 0)).toEqual({ to: { kind: 'near', m: 0 } });
});
