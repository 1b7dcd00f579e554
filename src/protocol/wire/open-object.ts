import { z } from 'zod';

type OpenRecord = z.ZodRecord<z.ZodString, z.ZodUnknown>;

/**
 * A record that passes an object on as it is. Zod's own record leaves out `__proto__`, so its sender would not learn that the
 * name is unknown.
 */
const OpenRecord = z.core.$constructor<OpenRecord>('OpenRecord', (schema, definition) => {
  z.ZodRecord.init(schema, definition);
  schema._zod.parse = (payload) => {
    const { value } = payload;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      payload.issues.push({ code: 'invalid_type', expected: 'record', input: value, inst: schema });
    }
    return payload;
  };
});

/** An object with any names, including `__proto__`, passed on unchanged. @param error the message for any other value */
export const openObject = (error = 'must be an object'): OpenRecord =>
  new OpenRecord({ type: 'record', keyType: z.string(), valueType: z.unknown(), error: () => error });
