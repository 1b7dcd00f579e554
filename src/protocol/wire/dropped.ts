import { z } from 'zod';
import { vec3Schema } from './geometry.ts';

/** A thing that left the hands without being put down: it was pressed out by something, or struck. */
export const droppedSchema = z.object({
  entity_id: z.string().describe('which'),
  position: vec3Schema.describe('metres, [x, y, z]: where it is at the end of the action, in the world'),
});
export type Dropped = z.infer<typeof droppedSchema>;

/** In the result of a skill that may move while something is held. */
export const droppedInResult = droppedSchema
  .optional()
  .describe('the thing that left the hands while this ran, and where it is now; absent when nothing did');

/** In the state. */
export const droppedInState = z
  .object({
    entity_id: z.string(),
    position: vec3Schema.describe('where it is now'),
    step: z.int().describe('when it left the hands'),
    sim_time_s: z.number(),
  })
  .optional()
  .describe('the thing that last slipped from the hands; absent once they hold one again');
