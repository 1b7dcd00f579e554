import type { OpenAPIHono } from '@hono/zod-openapi';
import { z } from 'zod';
import { errorSchema } from '../protocol/control-service.ts';
import type { Face } from './faces.ts';
import type { Route } from './routes.ts';

type RegisteredRoute = Parameters<OpenAPIHono['openAPIRegistry']['registerPath']>[0];

const REFUSALS: Record<number, string> = {
  400: 'The request is not valid',
  401: 'The API key is missing, unknown or expired',
  404: 'There is no such robot among yours',
  409: 'The state of the robot or its session does not allow it',
  413: 'The body is too large',
  415: 'The body is not JSON',
  429: 'Too many attempts',
  500: 'The service failed',
  502: 'The runtime did not carry out the call',
  503: 'The media server does not answer',
  504: 'The runtime did not answer in time',
};

/** A route as the OpenAPI description lists it. */
export function describeRoute(face: Face, route: Route): RegisteredRoute {
  const success =
    route.answer === 'none'
      ? { 204: { description: 'Done' } }
      : { 200: { description: 'Done', content: { 'application/json': { schema: face.answers[route.answer] } } } };
  const refusals = [400, 401, ...route.refusals, ...(route.body ? [413, 415] : []), 500].map((status) => [
    status,
    { description: REFUSALS[status] ?? '', content: { 'application/json': { schema: errorSchema } } },
  ]);
  return {
    method: route.method,
    path: route.path,
    operationId: route.operationId,
    summary: route.summary,
    security: [{ apiKey: [] }],
    request: {
      ...(route.path.includes('{robot_id}') ? { params: z.object({ robot_id: z.string() }) } : {}),
      ...(route.query ? { query: route.query } : {}),
      ...(route.body ? { body: { content: { 'application/json': { schema: route.body } } } } : {}),
    },
    responses: { ...success, ...Object.fromEntries(refusals) },
  };
}
