import { z } from 'zod';
import type { JsonSchema } from '../../common/json-schema.ts';
import type { EntityKind } from './entity-kind.ts';

/**
 * The facts that a form needs about a field beyond its JSON Schema. They are for people and are not sent on the wire. The
 * description states the same in words.
 */
export interface FieldFacts {
  /** The unit of a number, or of each number of a list; '' for a number without a unit. */
  unit?: '' | 'm' | 's' | 'ms' | 'm/s' | 'rad' | 'rad/s' | '°' | 'px';
  /** A name in words, if the key does not read as one. */
  label?: string;
  /** Names of the numbers of a list, in order. */
  parts?: readonly string[];
  /** The text is the id of an entity of one of these kinds. */
  entityKinds?: readonly EntityKind[];
  /** The number is a slot of the pad that this neighbouring field names. */
  slotOfPadIn?: string;
}

/** A JSON Schema whose parts carry their facts. */
export interface FormSchema extends JsonSchema {
  facts?: FieldFacts;
}

const FACTS = z.registry<FieldFacts>();

/** Adds facts to a field and keeps those that it has. Returns the same schema. */
export function withFacts<S extends z.ZodType>(schema: S, facts: FieldFacts): S {
  FACTS.add(schema, { ...FACTS.get(schema), ...facts });
  return schema;
}

/** Returns the JSON Schema of an input, with the facts of each field. */
export const formSchemaOf = (schema: z.ZodType): FormSchema =>
  z.toJSONSchema(schema, {
    io: 'input',
    override: ({ zodSchema, jsonSchema }) => {
      const facts = FACTS.get(zodSchema);
      if (facts) Object.assign(jsonSchema, { facts });
    },
  }) as FormSchema;

/**
 * Returns a schema from the wire with the facts that this build knows about its fields. The wire's schema has precedence: a field
 * that only it has is kept, without facts.
 */
export function withKnownFacts(schema: JsonSchema, known: FormSchema | undefined): FormSchema {
  if (!known) return schema;
  const list = (inner: JsonSchema[], of: JsonSchema[] | undefined) => inner.map((part, i) => withKnownFacts(part, of?.[i]));
  return {
    ...schema,
    ...(known.facts && known.type === schema.type && { facts: known.facts }),
    ...(schema.properties && {
      properties: Object.fromEntries(
        Object.entries(schema.properties).map(([key, inner]) => [key, withKnownFacts(inner, known.properties?.[key])]),
      ),
    }),
    ...(schema.prefixItems && { prefixItems: list(schema.prefixItems, known.prefixItems) }),
    ...(typeof schema.items === 'object' && {
      items: withKnownFacts(schema.items, typeof known.items === 'object' ? known.items : undefined),
    }),
    ...(schema.oneOf && { oneOf: list(schema.oneOf, known.oneOf) }),
    ...(schema.anyOf && { anyOf: list(schema.anyOf, known.anyOf) }),
  };
}
