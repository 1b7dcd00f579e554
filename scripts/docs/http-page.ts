import type { z } from 'zod';
import { type Face, PUBLIC_FACE } from '../../src/control-service/faces.ts';
import { refusalsOf } from '../../src/control-service/openapi.ts';
import type { Route } from '../../src/control-service/route.ts';
import { SERVICE_ERRORS, type ServiceErrorCode } from '../../src/protocol/service/service-errors.ts';
import { httpLimits } from './http-limits.ts';
import { code, markdownTable } from './markdown.ts';
import { plainSchema } from './plain-schema.ts';
import { schemaTable } from './schema-table.ts';
import { curlOf, operationsInOrder } from './service-curls.ts';

/** Returns the page of the operations of the control service: of each the path, the purpose, the fields, a curl and its own errors. */
export function httpPage(face: Face = PUBLIC_FACE): string {
  const routes = operationsInOrder(face);
  const common = commonErrors(routes);
  return `# HTTP operations

Made by \`npm run docs\` from the routes of \`src/control-service\` and their schemas; do not edit by hand.

This page lists every operation of the control service on the ${face.name} face, with its fields, a curl and its own errors.
[control-service.md](../control-service.md) explains how they work together, and [openapi.public.json](openapi.public.json) and
[openapi.library.json](openapi.library.json) describe both faces as OpenAPI 3.1.

Run the curls from top to bottom in the repository, beside \`npm start\` with its link open in Chrome. Set these variables first:

\`\`\`sh
export BASE_URL=http://127.0.0.1:8080
export PLATFORM_API_KEY=$(node -p "JSON.parse(fs.readFileSync('.simplesim/local.json')).api_key")
export ROBOT_ID=$(node -p "JSON.parse(fs.readFileSync('.simplesim/local.json')).robot_id")
\`\`\`

\`claimRobot\` needs the id and the PIN of a physical robot in \`ROBOT_ID\` and \`PIN\`. \`revokeApiKey\` needs an id from \`listApiKeys\` in
\`KEY_ID\`, and \`revokeLink\` an id from \`listLinks\` in \`LINK_ID\`. \`deleteSession\` closes the room, and the page of \`npm start\` then joins
the next session automatically.

${markdownTable(['operation', 'request', 'purpose'], routes.map(rowOf))}

Every operation may return these errors: ${listOf(common)}.

Each section lists the errors that its operation may return in addition. [errors.md](errors.md) explains every code.

${routes.map((route) => sectionOf(face, route, common)).join('\n\n')}

## Limits

${httpLimits()}
`;
}

const rowOf = ({ operationId, method, path, summary }: Route): string[] => [
  `[${code(operationId)}](#${operationId.toLowerCase()})`,
  code(`${method.toUpperCase()} ${path}`),
  summary,
];

function sectionOf(face: Face, route: Route, common: ReadonlySet<ServiceErrorCode>): string {
  const { operationId, method, path, summary, description, query, body, bodyOptional } = route;
  const own = new Set(refusalsOf(route).filter((code) => !common.has(code)));
  return [
    `## ${operationId}`,
    `\`${method.toUpperCase()} ${path}\`: ${summary}. ${description}`,
    ...(query ? [`Query:\n\n${fieldsOf(query)}`] : []),
    ...(body ? [`Body${bodyOptional ? ', which may be absent' : ''}:\n\n${fieldsOf(body)}`] : []),
    curlOf(face, route),
    ...(own.size === 0 ? [] : [`Own errors: ${listOf(own)}.`]),
  ].join('\n\n');
}

const fieldsOf = (schema: z.ZodType): string => schemaTable(plainSchema(schema, 'input'), true);

/** Returns the codes that every operation may return. */
function commonErrors(routes: readonly Route[]): ReadonlySet<ServiceErrorCode> {
  const [first, ...others] = routes.map((route) => new Set(refusalsOf(route)));
  return new Set([...(first ?? [])].filter((code) => others.every((codes) => codes.has(code))));
}

const listOf = (codes: Iterable<ServiceErrorCode>): string =>
  [...codes]
    .sort((a, b) => SERVICE_ERRORS[a].status - SERVICE_ERRORS[b].status)
    .map((name) => `${SERVICE_ERRORS[name].status} ${code(name)}`)
    .join(', ');
