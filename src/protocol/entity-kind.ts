import { z } from 'zod';

export const ENTITY_KINDS = ['robot', 'cube', 'pad'] as const;
export const entityKindSchema = z.enum(ENTITY_KINDS);
export type EntityKind = z.infer<typeof entityKindSchema>;
