import { LIBRARY_FACE } from '../../src/control-service/faces.ts';
import { refusalsOf } from '../../src/control-service/openapi.ts';
import type { Route } from '../../src/control-service/route.ts';
import { routesOf } from '../../src/control-service/routes.ts';
import { SERVICE_ERRORS, type ServiceErrorCode } from '../../src/protocol/service/service-errors.ts';
import { ERROR_CODES, ERROR_STAGES } from '../../src/protocol/wire/error-codes.ts';
import { code, markdownTable } from './markdown.ts';

const HEAD = ['code', 'where', 'meaning', 'what to do', '`retryable`'];
/** Statuses after which the same request may succeed without a change. */
const RETRYABLE_STATUSES: readonly number[] = [408, 429, 500, 503, 504];

/** Returns the page of all error codes: those of the runtime, and those of the control service. */
export const errorsPage = (): string => `# Errors

Made by \`npm run docs\` from \`src/protocol/wire/error-codes.ts\`, \`src/protocol/service/service-errors.ts\` and the routes of the service; do not edit by hand.

This page lists every error code of a robot and of the control service, what it means and what to do. Match on the code: messages are for
people and may change.

| where the error comes from | form |
|---|---|
| a robot in its room | \`{"status": "failed", "error": {code, message, details}}\` |
| the control service, over HTTP | \`{code, message, details: {request_id, …}}\` with a status of 400 or above |

## Codes of the robot

\`details\` always has \`stage\`, \`attempted\` (whether the robot started), \`world_changed\` (\`no\`, \`yes\` or \`unknown\`) and \`retryable\`. Many codes
add measured facts. The column \`retryable\` is the usual value of the code: whether the same call may succeed later without a change. A single
failure may have another value, so read \`details.retryable\`. An action that ended keeps its result, so a repeated call needs a new
\`action_id\`. Three messages begin with fixed words that programs look for: \`too far from\`, \`not near a pallet\` and
\`carry capacity reached\`. [skills.md](skills.md) lists the codes of each skill. The column *where* is the stage.

${runtimeTable()}

## Codes of the control service

The column *where* has the HTTP status and the operations that return the code ([http.md](http.md)). An operation may also return a code of the
robot, with status 409. \`retryable\` follows from the status: ${RETRYABLE_STATUSES.join(', ')}. If the answer has the header \`Retry-After\`, wait
that many seconds.

${serviceTable()}
`;

function runtimeTable(): string {
  const rows = ERROR_STAGES.flatMap((stage) =>
    Object.entries(ERROR_CODES)
      .filter(([, info]) => info.stage === stage)
      .map(([name, info]) => rowOf(name, stage, info.summary, info.remedy, info.retryable)),
  );
  return markdownTable(HEAD, rows);
}

function serviceTable(): string {
  const codes = (Object.keys(SERVICE_ERRORS) as ServiceErrorCode[]).sort(
    (a, b) => SERVICE_ERRORS[a].status - SERVICE_ERRORS[b].status,
  );
  const rows = codes.map((name) => {
    const { status, summary, remedy } = SERVICE_ERRORS[name];
    return rowOf(name, `${status}: ${operationsOf(name)}`, summary, remedy, RETRYABLE_STATUSES.includes(status));
  });
  return markdownTable(HEAD, rows);
}

const rowOf = (name: string, where: string, meaning: string, remedy: string, isRetryable: boolean): string[] => [
  code(name),
  where,
  meaning,
  remedy,
  isRetryable ? 'yes' : 'no',
];

/** Returns the operations that may be refused with a code, in as few words as possible. */
function operationsOf(name: ServiceErrorCode): string {
  const routes = routesOf(LIBRARY_FACE);
  const hasCode = (route: Route) => refusalsOf(route).includes(name);
  if (!routes.some(hasCode)) return 'an address or method that does not exist';
  if (routes.every(hasCode)) return 'all operations';
  if (routes.every((route) => hasCode(route) === (route.body !== undefined))) return 'operations with a body';
  if (routes.filter(hasCode).length <= routes.length / 2) return namesOf(routes.filter(hasCode));
  return `all but ${namesOf(routes.filter((route) => !hasCode(route)))}`;
}

const namesOf = (routes: Route[]): string => routes.map(({ operationId }) => code(operationId)).join(', ');
