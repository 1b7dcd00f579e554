import type { z } from 'zod';
import {
  claimSchema,
  createSessionSchema,
  listQuerySchema,
  participantTokenSchema,
  semanticCommandSchema,
  sessionCommandSchema,
} from '../protocol/control-service.ts';
import type { Caller } from './accounts.ts';
import type { ServiceDeps } from './deps.ts';
import type { AnswerKind, Face, Outcome } from './faces.ts';
import { claimRobot } from './operations/claim.ts';
import { semanticCommand, sessionCommand } from './operations/commands.ts';
import { getRobot } from './operations/lookup.ts';
import { createRobot, deleteRobot, listRobots, updateRobot } from './operations/robots.ts';
import { createParticipantToken, deleteSession, openSession } from './operations/sessions.ts';

/** A request that was let in: who asks, and about which robot (empty where the path names none). */
export interface Request {
  deps: ServiceDeps;
  caller: Caller;
  robotId: string;
  /** Aborted when nobody waits for the answer any more. */
  signal: AbortSignal;
}

/** One operation at one address; the same on both faces but for the schemas. */
export interface Route {
  method: 'get' | 'post' | 'patch' | 'delete';
  /** After the face's prefix, in OpenAPI's form. */
  path: string;
  operationId: string;
  summary: string;
  query?: z.ZodObject;
  body?: z.ZodType;
  /** What it answers; `none` is 204. */
  answer: AnswerKind | 'none';
  /** Refusals beside 400 and 401. */
  refusals: (404 | 409 | 429 | 502 | 503 | 504)[];
  /** @param input The query and the body as their schemas read them. */
  run: (request: Request, input: { query: unknown; body: unknown }) => Promise<Outcome>;
}

const ROBOTS = '/v1/robots';
const ROBOT = `${ROBOTS}/{robot_id}`;
const SESSION = `${ROBOT}/session`;

/** Ties the type of a schema's output to the code that runs on it. */
function route<Q extends z.ZodObject, B extends z.ZodType>(
  shape: Omit<Route, 'query' | 'body' | 'run'> & { query?: Q; body?: B },
  run: (request: Request, input: { query: z.output<Q>; body: z.output<B> }) => Promise<Outcome>,
): Route {
  return { ...shape, run: (request, input) => run(request, input as { query: z.output<Q>; body: z.output<B> }) };
}

/** Every operation of the service, as one face has it. */
export function routesOf(face: Face): Route[] {
  return [
    route(
      {
        method: 'get',
        path: ROBOTS,
        operationId: 'listRobots',
        summary: 'List your robots, oldest first',
        query: listQuerySchema,
        answer: 'robots',
        refusals: [],
      },
      async ({ deps, caller }, { query }) => ({ kind: 'robots', ...(await listRobots(deps, caller, query)) }),
    ),
    route(
      {
        method: 'post',
        path: ROBOTS,
        operationId: 'createRobot',
        summary: 'Create a virtual robot, claimed for you',
        body: face.createSchema,
        answer: 'created',
        refusals: [],
      },
      async ({ deps, caller }, { body }) => ({ kind: 'created', ...(await createRobot(deps, caller, body)) }),
    ),
    route(
      { method: 'get', path: ROBOT, operationId: 'getRobot', summary: 'Get a robot', answer: 'robot', refusals: [404] },
      async ({ deps, caller, robotId }) => ({ kind: 'robot', robot: await getRobot(deps.db, caller, robotId) }),
    ),
    route(
      {
        method: 'patch',
        path: ROBOT,
        operationId: 'updateRobot',
        summary: 'Rename a robot, or change its details',
        body: face.updateSchema,
        answer: 'robot',
        refusals: [404],
      },
      async ({ deps, caller, robotId }, { body }) => ({ kind: 'robot', robot: await updateRobot(deps, caller, robotId, body) }),
    ),
    route(
      {
        method: 'delete',
        path: ROBOT,
        operationId: 'deleteRobot',
        summary: 'Delete a robot and its session',
        answer: 'none',
        refusals: [404, 503],
      },
      async ({ deps, caller, robotId }) => {
        await deleteRobot(deps, caller, robotId);
        return { kind: 'none' };
      },
    ),
    route(
      {
        method: 'post',
        path: `${ROBOT}/claim`,
        operationId: 'claimRobot',
        summary: 'Claim a robot with its PIN',
        body: claimSchema,
        answer: 'robot',
        refusals: [404, 409, 429],
      },
      async ({ deps, caller, robotId }, { body }) => ({
        kind: 'robot',
        robot: await claimRobot(deps, caller, robotId, body.pin_code),
      }),
    ),
    route(
      {
        method: 'post',
        path: SESSION,
        operationId: 'createSession',
        summary: 'Open the session of a robot, or join the open one',
        body: createSessionSchema,
        answer: 'session',
        refusals: [404, 503],
      },
      async ({ deps, caller, robotId }, { body }) => {
        const { metadata, ...place } = await openSession(deps, caller, robotId, body);
        return { kind: 'session', place, metadata };
      },
    ),
    route(
      {
        method: 'delete',
        path: SESSION,
        operationId: 'deleteSession',
        summary: 'Close the room of a robot and end its session',
        answer: 'none',
        refusals: [404, 503],
      },
      async ({ deps, caller, robotId }) => {
        await deleteSession(deps, caller, robotId);
        return { kind: 'none' };
      },
    ),
    route(
      {
        method: 'post',
        path: `${SESSION}/participant-token`,
        operationId: 'createParticipantToken',
        summary: 'Get a further credential for the room of a robot',
        body: participantTokenSchema,
        answer: 'participant',
        refusals: [404, 409, 503],
      },
      async ({ deps, caller, robotId }, { body }) => {
        const { identity, expiresAt, ...place } = await createParticipantToken(deps, caller, robotId, body);
        return { kind: 'participant', place, identity, expiresAt };
      },
    ),
    route(
      {
        method: 'post',
        path: `${SESSION}/command`,
        operationId: 'sessionCommand',
        summary: 'Call a skill of the runtime and wait for its end',
        body: sessionCommandSchema,
        answer: 'command',
        refusals: [404, 409, 502, 503, 504],
      },
      async ({ deps, caller, robotId, signal }, { body }) => ({
        kind: 'command',
        result: await sessionCommand(deps, caller, robotId, body, signal),
      }),
    ),
    route(
      {
        method: 'post',
        path: `${ROBOT}/semantic-command`,
        operationId: 'semanticCommand',
        summary: 'Move a robot a little',
        body: semanticCommandSchema,
        answer: 'accepted',
        refusals: [404, 409, 502, 503, 504],
      },
      async ({ deps, caller, robotId, signal }, { body }) => {
        await semanticCommand(deps, caller, robotId, body.command, signal);
        return { kind: 'accepted' };
      },
    ),
  ];
}
