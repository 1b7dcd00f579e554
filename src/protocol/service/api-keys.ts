/** The answers of the operations on API keys. Requests are in `control-requests.ts`. */
import { z } from 'zod';
import { time } from '../client-models/http.ts';

/** Longest life of a key that has an end, in seconds: ten years. */
export const API_KEY_MAX_TTL_S = 315_360_000;
/** Longest name of a key, in characters. */
export const API_KEY_NAME_MAX_LENGTH = 128;

export const apiKeySchema = z
  .object({
    id: z.string().describe('Unique id; ids sort by the age of the keys'),
    prefix: z
      .string()
      .describe('First characters of the key, by which its owner recognises it; empty for a key in a form of its owner’s own'),
    name: z.string().describe('Name that its maker gave it'),
    created_at: time('When it was made'),
    expires_at: time('When it ends automatically; null: never').nullable(),
    last_used_at: time('When a request was last made with it, to the minute; null: never since this is kept').nullable(),
    is_own: z.boolean().describe('Whether this request was made with it'),
  })
  .meta({ id: 'ApiKey' });
/** An API key as its account sees it, without the key itself. Times are ISO 8601. */
export type ApiKey = z.infer<typeof apiKeySchema>;

/** The key itself, in the answer that creates it. */
export const apiKeySecretSchema = z.string().describe('The key: shown here once and never again. A secret');
