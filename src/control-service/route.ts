import type { z } from 'zod';
import type { ServiceErrorCode } from '../protocol/service-errors.ts';
import type { KnownCaller } from './caller.ts';
import type { ServiceDeps } from './deps.ts';
import type { AnswerKind, Outcome } from './faces.ts';

/** An admitted request: the caller, and the robot, the key and the link that the path names (empty where it names none). */
export interface Request {
  deps: ServiceDeps;
  caller: KnownCaller;
  robotId: string;
  keyId: string;
  linkId: string;
  /** Aborted when nobody waits for the answer any more. */
  signal: AbortSignal;
}

/** One operation at one address; the same on both faces but for the schemas. */
export interface Route {
  method: 'get' | 'post' | 'patch' | 'delete';
  /** After the face's prefix, in OpenAPI's form. */
  path: string;
  operationId: string;
  tag: 'Robots' | 'Sessions' | 'Commands' | 'API keys';
  summary: string;
  /** Further information for a caller, beside the summary. */
  description: string;
  query?: z.ZodObject;
  body?: z.ZodType;
  /** Whether the body may be left out. @default false */
  bodyOptional?: boolean;
  /** The kind of its answer; `none` is 204. */
  answer: AnswerKind | 'none';
  /** Refusals of its own, beside those that any request may meet. */
  refusals: ServiceErrorCode[];
  /** Whether it waits for the robot, and so has no time limit but its own. @default false */
  waits?: boolean;
  /** Whether it is let in however much its account has under way. @default false */
  isUrgent?: boolean;
  /**
   * For an operation whose answer gives out a credential: undoes what the operation did, when its key has ended before the answer.
   * Such an operation is answered only under a key that is looked up once more. Never throws.
   */
  takeBack?: (request: Request, outcome: Outcome) => Promise<void>;
  /** @param input The query and the body as their schemas read them. */
  run: (request: Request, input: { query: unknown; body: unknown }) => Promise<Outcome>;
}

/** Ties the type of a schema's output to the code that runs on it. */
export function route<Q extends z.ZodObject, B extends z.ZodType>(
  shape: Omit<Route, 'query' | 'body' | 'run'> & { query?: Q; body?: B },
  run: (request: Request, input: { query: z.output<Q>; body: z.output<B> }) => Promise<Outcome>,
): Route {
  return { ...shape, run: (request, input) => run(request, input as { query: z.output<Q>; body: z.output<B> }) };
}
