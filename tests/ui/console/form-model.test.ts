import { describe, expect, test } from 'vitest';
import type { JsonSchema } from '../../../src/common/json-schema.ts';
import { pathText } from '../../../src/common/schema-texts.ts';
import { formSchemaOf, withKnownFacts } from '../../../src/protocol/wire/field-facts.ts';
import { RCW_SKILL_NAMES, RCW_SKILLS, rcwSkillDescriptor } from '../../../src/protocol/wire/rcw-skills.ts';
import { skillDescriptor, skillDescriptors } from '../../../src/protocol/wire/skill-descriptors.ts';
import { SKILL_NAMES, SKILLS, type SkillName } from '../../../src/protocol/wire/skills.ts';
import { validate } from '../../../src/runtime/input-problems.ts';
import { placeCameras } from '../../../src/viewer/ui/common/place-cameras.ts';
import { skillCallable, standingCallables } from '../../../src/viewer/ui/console/callables.ts';
import { type Draft, draftOf, type Field, fieldOf, filledValue } from '../../../src/viewer/ui/console/form-model.ts';
import { pathOf, problemsOf } from '../../../src/viewer/ui/console/json-schema.ts';
import { SAMPLE_LAYOUT } from '../../stage/helpers/sample-world.ts';
import { callableOf, REFUSED, SKILL_CALLABLES, TAKEN } from './skill-inputs.ts';

const STANDING = standingCallables(placeCameras(SAMPLE_LAYOUT));

const inputs = (table: Partial<Record<SkillName, readonly unknown[]>>) =>
  SKILL_NAMES.flatMap((name) => (table[name] ?? []).map((input) => [name, input] as const));

const textDraft = (text: string): Draft => ({ kind: 'text', text });

describe('the form accepts what a schema accepts, and nothing else', () => {
  test.each(inputs(TAKEN))('the form of %s accepts %j', (name, input) => {
    expect(problemsOf(callableOf(name).form.schema, input)).toEqual([]);
    expect(validate(SKILLS[name].input, input, 'input').ok).toBe(true);
  });

  test.each(inputs(REFUSED))('the form of %s rejects %j at the field that the runtime names', (name, input) => {
    const [problem] = problemsOf(callableOf(name).form.schema, input);
    const judged = validate(SKILLS[name].input, input, 'input');
    if (!problem || judged.ok) throw new Error(`${name} took ${JSON.stringify(input)}`);
    const path = ['input', pathText(problem.path)].filter(Boolean).join('.');
    // If no kind of target is chosen, the runtime names the kind and the form names the choice.
    expect([path, `${path}.kind`]).toContain(judged.error.details.path);
  });
});

describe('a form and its value', () => {
  test.each(inputs(TAKEN))('the form of %s keeps %j unchanged', (name, input) => {
    const { form } = callableOf(name);
    expect(filledValue(form, draftOf(form, input))).toEqual(input);
  });

  test('every field of every skill can be filled in by a person', () => {
    const kinds = (field: Field): string[] => {
      const inner = field.kind === 'object' ? field.fields : field.kind === 'choice' ? field.branches : [];
      return [field.kind, ...inner.flatMap(kinds)];
    };
    for (const { form } of [...SKILL_CALLABLES, ...STANDING]) expect(kinds(form)).not.toContain('json');
  });

  test('an optional field is left out until it is given', () => {
    const { form } = callableOf('place_entity');
    expect(filledValue(form, draftOf(form))).toEqual({});
    const given = draftOf(form, { target: { kind: 'slot' } });
    expect(filledValue(form, given)).toEqual({ target: { kind: 'slot' } });
    expect(problemsOf(form.schema, filledValue(form, given))).toMatchObject([
      { path: ['target', 'pad_id'], missing: true },
      { path: ['target', 'index'], missing: true },
    ]);
  });

  test('a change of the target’s kind keeps the text that was entered for the first kind', () => {
    const { form } = callableOf('go_to');
    const draft = draftOf(form, { target: { kind: 'entity', entity_id: 'pad_B' } });
    if (draft.kind !== 'group' || draft.parts[0]?.kind !== 'choice') throw new Error('no choice');
    const turned = { ...draft, parts: draft.parts.with(0, { ...draft.parts[0], chosen: 1 }) };
    expect(filledValue(form, turned)).toMatchObject({
      target: { kind: 'pose', pose: { position: [undefined, undefined, undefined] } },
    });
    const back = { ...turned, parts: turned.parts.with(0, { ...draft.parts[0], chosen: 0 }) };
    expect(filledValue(form, back)).toEqual({ target: { kind: 'entity', entity_id: 'pad_B' } });
  });

  test('a number is read as people write it, and an invalid number stays as typed', () => {
    const field = fieldOf({ type: 'number' });
    expect(filledValue(field, textDraft(' 0,5 '))).toBe(0.5);
    expect(filledValue(field, textDraft('\u22121.5'))).toBe(-1.5);
    expect(filledValue(field, textDraft('fast'))).toBe('fast');
    expect(filledValue(field, textDraft('  '))).toBeUndefined();
  });

  test('every number of every field shows its unit, or that it has none', () => {
    const without = (field: Field, path: string): string[] => {
      const inner =
        field.kind === 'object'
          ? field.fields
          : field.kind === 'choice'
            ? field.branches
            : field.kind === 'tuple'
              ? field.items
              : [];
      const here = field.kind === 'number' && field.unit === '' && field.schema.facts?.unit === undefined ? [path] : [];
      return [...here, ...inner.flatMap((part) => without(part, `${path}.${part.key}`))];
    };
    const worker = RCW_SKILL_NAMES.map((name) => skillCallable(rcwSkillDescriptor(name), RCW_SKILLS[name]));
    for (const { id, form } of [...SKILL_CALLABLES, ...STANDING, ...worker]) expect(without(form, id)).toEqual([]);
  });

  test('the schemas of the robot contain no data for forms, so that a language model gets them unchanged', () => {
    expect(JSON.stringify(skillDescriptors())).not.toMatch(/"(facts|unit|label|parts|entityKinds|slotOfPadIn)":/);
  });

  test('a field that only the robot knows is a field without such data', () => {
    const known = formSchemaOf(SKILLS.set_head.input);
    const { input_schema } = skillDescriptor('set_head');
    const sent = structuredClone(input_schema) as JsonSchema;
    sent.properties = { ...sent.properties, roll: { type: 'number', description: 'radians' } };
    const form = fieldOf(withKnownFacts(sent, known));
    if (form.kind !== 'object') throw new Error('no form');
    expect(form.fields.map((field) => [field.key, field.kind === 'number' && field.unit])).toEqual([
      ['yaw', 'rad'],
      ['pitch', 'rad'],
      ['roll', ''],
    ]);
  });

  test('units are those of the catalogue', () => {
    const units = (id: string) => {
      const { form } = callableOf(id);
      return form.kind === 'object' ? form.fields.map((field) => (field.kind === 'number' ? field.unit : field.kind)) : [];
    };
    expect(units('set_velocity')).toEqual(['m/s', 'm/s', 'rad/s', 's']);
    expect(units('set_head')).toEqual(['rad', 'rad']);
    expect(units('go_to')).toEqual(['choice', 'm']);
  });

  test('ids are picked from the list that the schema names', () => {
    const sources = (field: Field): unknown[] =>
      field.kind === 'object'
        ? field.fields.flatMap(sources)
        : field.kind === 'choice'
          ? field.branches.flatMap(sources)
          : 'entityKinds' in field && field.entityKinds !== null
            ? [field.entityKinds.join()]
            : 'slotOfPadIn' in field && field.slotOfPadIn !== null
              ? [`slot of ${field.slotOfPadIn}`]
              : [];
    expect(sources(callableOf('go_to').form)).toEqual(['robot,cube,object,pad']);
    expect(sources(callableOf('pick_entity').form)).toEqual(['cube,object']);
    expect(sources(callableOf('place_entity').form)).toEqual(['pad,object', 'pad', 'slot of pad_id']);
  });
});

test('an invalid input is reported in words, with the range and the value', () => {
  const wrong = (name: string, input: unknown) => problemsOf(callableOf(name).form.schema, input).map(({ text }) => text);
  expect(wrong('set_head', { yaw: 2 })).toEqual(['This must be a number from \u22121.4 to 1.4; it is 2.']);
  expect(wrong('set_color_mode', {})).toEqual(['Choose one of natural, plain, segmentation.']);
  expect(wrong('set_velocity', { speed: 1 })).toEqual(['There is no field “speed” here; there are vx, vy, wz, duration_s.']);
  expect(wrong('go_to', {})).toEqual(['Choose entity or pose.']);
  expect(wrong('go_to', { target: { kind: 'entity' } })).toEqual(['Fill this in.']);
});

test('a path is read as the runtime writes it', () => {
  for (const path of [['target', 'pose', 'position', 2], ['seed'], []]) expect(pathOf(pathText(path))).toEqual(path);
});
