import { z } from 'zod';
import { proofFileSchema } from '../../src/protocol/files/proof-file.ts';
import { taskFileSchema } from '../../src/protocol/files/task-file.ts';

const schemaText = (schema: z.ZodType, io: 'input' | 'output'): string =>
  `${JSON.stringify(z.toJSONSchema(schema, { io }), null, 2)}\n`;

/** Returns the JSON Schemas of tasks and proofs, by path. */
export const taskPages = (): Record<string, string> => ({
  'docs/schemas/task.schema.json': schemaText(taskFileSchema, 'input'),
  'docs/schemas/proof.schema.json': schemaText(proofFileSchema, 'output'),
});
