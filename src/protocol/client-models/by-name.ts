import { z } from 'zod';

/**
 * An object whose keys are names that clients choose, such as those of agents. Unlike `z.record` it keeps and checks every key: a
 * name may be `__proto__`, which zod leaves out.
 */
export function byName<T extends z.ZodType>(value: T, described: { description: string; valueSchema: object }) {
  const schema = z
    .any()
    .superRefine((given: unknown, context) => {
      if (typeof given !== 'object' || given === null || Array.isArray(given)) {
        context.addIssue({ code: 'custom', message: 'must be an object' });
        return;
      }
      for (const [name, inner] of Object.entries(given)) {
        for (const { path, message } of value.safeParse(inner).error?.issues ?? []) {
          context.addIssue({ code: 'custom', path: [name, ...path], message });
        }
      }
    })
    .meta({ type: 'object', additionalProperties: described.valueSchema, description: described.description });
  return schema as unknown as z.ZodType<Record<string, z.output<T>>, Record<string, z.input<T>>>;
}
