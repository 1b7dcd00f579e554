import { z } from 'zod';

/** `cube` is a thing of the shape that all cubes have; `object` is a movable thing of any other shape. */
export const ENTITY_KINDS = ['robot', 'cube', 'object', 'pad'] as const;
export const entityKindSchema = z.enum(ENTITY_KINDS);
export type EntityKind = z.infer<typeof entityKindSchema>;
/** The kinds of entities that hands can take and that can lie on others. */
export const THING_KINDS = ['cube', 'object'] as const satisfies readonly EntityKind[];
