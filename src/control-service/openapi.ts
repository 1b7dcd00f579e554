import { OpenAPIHono } from '@hono/zod-openapi';
import { z } from 'zod';
import { errorSchema } from '../protocol/service/face-answers.ts';
import {
  type RefusalInfo,
  SERVICE_ERRORS,
  type ServiceErrorCode,
  type ServiceErrorStatus,
  UNAUTHORIZED_HINTS,
} from '../protocol/service/service-errors.ts';
import type { Face } from './faces.ts';
import {
  EXAMPLE_BODIES,
  EXAMPLE_KEY_ID,
  EXAMPLE_LINK_ID,
  EXAMPLE_REQUEST_ID,
  EXAMPLE_ROBOT_ID,
  exampleAnswer,
} from './openapi-examples.ts';
import type { Route } from './route.ts';
import { routesOf } from './routes.ts';
import { serviceVersion } from './service-version.ts';

type RegisteredRoute = Parameters<OpenAPIHono['openAPIRegistry']['registerPath']>[0];
type SchemaObject = Parameters<typeof OpenAPIHono.prototype.openAPIRegistry.registerComponent<'schemas'>>[2];
interface ReferenceObject {
  $ref: string;
}
type Document = ReturnType<OpenAPIHono['getOpenAPI31Document']>;

/** Errors that any request may get. */
const ALWAYS: ServiceErrorCode[] = [
  'request.malformed',
  'http.401',
  'account.limit_reached',
  'request.timeout',
  'request.headers_too_large',
  'internal',
  'service.starting',
  'database.unavailable',
];
const WITH_BODY: ServiceErrorCode[] = ['request.invalid', 'request.too_large', 'request.not_json'];

const REQUEST_ID_HEADER = {
  'X-Request-Id': {
    description: 'Id of the request, as in the log of the service; the one that the request gave, if it gave one',
    required: true,
    schema: { type: 'string' as const, pattern: '^[\\w.-]{1,64}$' },
    example: EXAMPLE_REQUEST_ID,
  },
};
/** Headers of an error beside the request id. */
const REFUSAL_HEADERS: Partial<Record<ServiceErrorStatus, Record<string, HeaderDescription>>> = {
  401: {
    'WWW-Authenticate': { description: 'How to authenticate', required: true, schema: { type: 'string', const: 'Bearer' } },
  },
  429: { 'Retry-After': retryAfter() },
  503: { 'Retry-After': retryAfter() },
};
interface HeaderDescription {
  description: string;
  required: boolean;
  schema: { type: 'string' | 'integer'; const?: string; minimum?: number };
}

const TAGS = [
  { name: 'Robots', description: 'Robots that the account of the key has claimed or created' },
  { name: 'Sessions', description: 'The room of a robot on the media server, and credentials for it' },
  { name: 'Commands', description: 'Skills of the robot, called over HTTP' },
  { name: 'API keys', description: 'The keys of your account' },
];

/** Returns every error with which an operation can answer: its own and those of any request. */
export function refusalsOf(route: Route): ServiceErrorCode[] {
  return [
    ...ALWAYS,
    ...(route.waits ? [] : (['service.timeout'] as const)),
    ...(route.query ? (['request.invalid'] as const) : []),
    ...(route.body ? WITH_BODY : []),
    ...route.refusals,
  ];
}

/** The OpenAPI description of one face, generated from the schemas that validate its requests. */
export function describeFace(face: Face): Document {
  const described = new OpenAPIHono();
  described.openAPIRegistry.registerComponent('securitySchemes', 'apiKey', {
    type: 'http',
    scheme: 'bearer',
    description: 'An API key of the platform, `sk_live_…`',
  });
  registerRefusals(described, routesOf(face));
  for (const route of routesOf(face)) described.openAPIRegistry.registerPath(describeRoute(face, route));
  const document = described.getOpenAPI31Document({
    openapi: '3.1.0',
    info: {
      title: `Robot Control Service, ${face.name} face`,
      version: serviceVersion(),
      description: DESCRIPTIONS[face.name],
      license: { name: 'MIT' },
    },
    servers: serversOf(face, ''),
    tags: TAGS,
  });
  return JSON.parse(JSON.stringify(document), withPlainLists);
}

/**
 * Writes a list of fixed length with values of one kind, such as [x, y, z], as `items` with its length. Generators and fuzzers
 * for OpenAPI 3.0 do not read `prefixItems`, which does not state the length either.
 */
function withPlainLists(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('prefixItems' in value) || !Array.isArray(value.prefixItems)) return value;
  const { prefixItems, ...rest } = value;
  const kinds = new Set(prefixItems.map((item) => JSON.stringify(item)));
  return kinds.size === 1
    ? { ...rest, items: prefixItems[0], minItems: prefixItems.length, maxItems: prefixItems.length }
    : value;
}

/**
 * Returns the server address of a description: the host from which the description was read, whatever a proxy calls it.
 * @param pathPrefix the prefix that a proxy has removed, e.g. `/platform`; empty for no prefix
 */
export const serversOf = (face: Face, pathPrefix: string): { url: string; description: string }[] => [
  { url: `${pathPrefix}${face.prefix}` || '/', description: 'This service' },
];

const COMMON = [
  'Errors are `{code, message, details}`, with the request id in the details and in the header `X-Request-Id`; a caller may choose the id by sending that header.',
  'Objects may have further fields: callers leave out of account what they do not know, and the service does the same.',
].join('\n\n');
const DESCRIPTIONS: Record<Face['name'], string> = {
  public: `For programs that speak HTTP themselves. Answers are \`{code, result}\`.\n\n${COMMON}`,
  library: `For client libraries. Answers are the objects themselves.\n\n${COMMON}`,
};

/** A route as the OpenAPI description lists it. */
function describeRoute(face: Face, route: Route): RegisteredRoute {
  const success =
    route.answer === 'none'
      ? { 204: { description: 'Done', headers: REQUEST_ID_HEADER } }
      : { 200: answerOf(face, route, route.answer) };
  const example = EXAMPLE_BODIES[route.operationId];
  return {
    method: route.method,
    path: route.path,
    operationId: route.operationId,
    tags: [route.tag],
    summary: route.summary,
    description: route.description,
    security: [{ apiKey: [] }],
    request: {
      ...paramsOf(route.path),
      ...(route.query ? { query: route.query } : {}),
      ...(route.body
        ? { body: { required: !route.bodyOptional, content: { 'application/json': { schema: route.body, example } } } }
        : {}),
    },
    responses: { ...success, ...refusalResponses(refusalsOf(route)) },
  };
}

const robotIdSchema = z.string().min(1).describe('Id of one of your robots').meta({ example: EXAMPLE_ROBOT_ID });
const keyIdSchema = z.string().min(1).describe('Id of one of your keys, as the list has it').meta({ example: EXAMPLE_KEY_ID });

const linkIdSchema = z.string().min(1).describe('Id of a link, as the list has it').meta({ example: EXAMPLE_LINK_ID });
const PATH_SCHEMAS = { robot_id: robotIdSchema, key_id: keyIdSchema, link_id: linkIdSchema };

/** Returns the parameters in a path. */
function paramsOf(path: string): { params?: z.ZodObject } {
  const named = Object.entries(PATH_SCHEMAS).filter(([name]) => path.includes(`{${name}}`));
  return named.length === 0 ? {} : { params: z.object(Object.fromEntries(named)) };
}

function answerOf(face: Face, route: Route, kind: Exclude<Route['answer'], 'none'>) {
  return {
    description: 'Done',
    headers: REQUEST_ID_HEADER,
    content: { 'application/json': { schema: face.answers[kind], example: exampleAnswer(face, kind) } },
    ...(route.operationId === 'createRobot' ? { links: linksToRobot(face) } : {}),
    ...(route.operationId === 'createApiKey' ? { links: linkToKey(face) } : {}),
  };
}

/** Returns the links to the operations where a new robot can be used. */
function linksToRobot(face: Face): Record<string, { operationId: string; parameters: Record<string, string> }> {
  const id = `$response.body#/${face.name === 'public' ? 'result' : 'robot'}/id`;
  const others = routesOf(face).filter((route) => route.path.includes('{robot_id}'));
  return Object.fromEntries(
    others.map(({ operationId }) => [operationId, { operationId, parameters: { robot_id: id } }] as const),
  );
}

/** Returns the link to the operation where a new key can be used by its id. */
function linkToKey(face: Face): Record<string, { operationId: string; parameters: Record<string, string> }> {
  const id = `$response.body#/${face.name === 'public' ? 'result' : 'key'}/id`;
  return { revokeApiKey: { operationId: 'revokeApiKey', parameters: { key_id: id } } };
}

/** One response for each status. Equal responses are defined once, in the components. */
function refusalResponses(codes: ServiceErrorCode[]): Record<string, ReferenceObject> {
  const groups = [...groupByStatus(codes)].sort(([a], [b]) => a - b);
  return Object.fromEntries(
    groups.map(([status, group]) => [String(status), { $ref: `#/components/responses/${nameOf(group)}` }]),
  );
}

function registerRefusals(described: OpenAPIHono, routes: Route[]): void {
  const { $schema: _, ...error } = z.toJSONSchema(errorSchema, { io: 'input' });
  described.openAPIRegistry.registerComponent('schemas', 'Error', error as SchemaObject);
  const groups = new Map<string, ServiceErrorCode[]>();
  for (const route of routes) for (const group of groupByStatus(refusalsOf(route)).values()) groups.set(nameOf(group), group);
  for (const [name, group] of [...groups].sort(([a], [b]) => (a < b ? -1 : 1))) {
    described.openAPIRegistry.registerComponent('responses', name, {
      description: group.map((code) => `\`${code}\`: ${SERVICE_ERRORS[code].summary}`).join('\n\n'),
      headers: { ...REQUEST_ID_HEADER, ...REFUSAL_HEADERS[statusOf(group)] },
      content: {
        'application/json': {
          schema: { $ref: '#/components/schemas/Error' },
          examples: Object.fromEntries(group.map((code) => [code, exampleOf(code)])),
        },
      },
    });
  }
}

function groupByStatus(codes: ServiceErrorCode[]): Map<ServiceErrorStatus, ServiceErrorCode[]> {
  const groups = new Map<ServiceErrorStatus, ServiceErrorCode[]>();
  for (const code of new Set(codes)) {
    const { status } = SERVICE_ERRORS[code];
    groups.set(status, [...(groups.get(status) ?? []), code].sort());
  }
  return groups;
}

const statusOf = (group: ServiceErrorCode[]): ServiceErrorStatus => SERVICE_ERRORS[group[0] ?? 'internal'].status;
/** `robot.not_found` becomes RobotNotFound. */
const nameOf = (group: ServiceErrorCode[]): string =>
  group.map((code) => code.replace(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase())).join('Or');

function exampleOf(code: ServiceErrorCode) {
  const info: RefusalInfo = SERVICE_ERRORS[code];
  const { summary, remedy, message } = info;
  const sentence = `${summary} ${remedy}`;
  const details = { request_id: EXAMPLE_REQUEST_ID };
  const value =
    message === undefined
      ? { code, message: sentence, details }
      : { code, message, details: { ...details, reason: 'missing', hint: UNAUTHORIZED_HINTS.missing } };
  return { summary, value };
}

function retryAfter(): HeaderDescription {
  return { description: 'Seconds after which to try again', required: true, schema: { type: 'integer', minimum: 1 } };
}
