import type { z } from 'zod';
import type { ServiceErrorCode } from '../protocol/service/service-errors.ts';
import type { KnownCaller } from './caller.ts';
import type { ServiceDeps } from './deps.ts';
import type { AnswerKind, Outcome } from './faces.ts';

/** An accepted request: the caller, and the robot, the key and the link that the path names (empty if it names none). */
export interface Request {
  deps: ServiceDeps;
  caller: KnownCaller;
  robotId: string;
  keyId: string;
  linkId: string;
  /** Aborted when no client waits for the answer. */
  signal: AbortSignal;
}

/** One operation at one address; the same on both faces except for the schemas. */
export interface Route {
  method: 'get' | 'post' | 'patch' | 'delete';
  /** The path after the face's prefix, in OpenAPI's form. */
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
  /** Its own errors, in addition to those of any request. */
  refusals: ServiceErrorCode[];
  /** Whether it waits for the robot, and so has only its own time limit. @default false */
  waits?: boolean;
  /** Whether it is accepted however many requests its account has under way. @default false */
  isUrgent?: boolean;
  /**
   * For an operation whose answer contains a credential: undoes the operation if its key has ended before the answer. Such an
   * operation is answered only after its key was looked up again. Never throws.
   */
  takeBack?: (request: Request, outcome: Outcome) => Promise<void>;
  /** @param input The query and the body, parsed by their schemas. */
  run: (request: Request, input: { query: unknown; body: unknown }) => Promise<Outcome>;
}

/** Ties the output type of a schema to the code that runs on it. */
export function route<Q extends z.ZodObject, B extends z.ZodType>(
  shape: Omit<Route, 'query' | 'body' | 'run'> & { query?: Q; body?: B },
  run: (request: Request, input: { query: z.output<Q>; body: z.output<B> }) => Promise<Outcome>,
): Route {
  return { ...shape, run: (request, input) => run(request, input as { query: z.output<Q>; body: z.output<B> }) };
}
