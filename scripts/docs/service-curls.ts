import type { Face } from '../../src/control-service/faces.ts';
import { EXAMPLE_BODIES, EXAMPLE_ROBOT_ID, exampleAnswer } from '../../src/control-service/openapi-examples.ts';
import type { Route } from '../../src/control-service/route.ts';
import { routesOf } from '../../src/control-service/routes.ts';

/** From the list of robots to their end, so that a reader can run them from top to bottom. */
const ORDER = [
  'listRobots',
  'createRobot',
  'getRobot',
  'updateRobot',
  'createSession',
  'getSession',
  'listSessions',
  'createParticipantToken',
  'listLinks',
  'revokeLink',
  'createControlGrant',
  'sessionCommand',
  'semanticCommand',
  'orderControl',
  'emergencyStop',
  'deleteSession',
  'deleteRobot',
  'claimRobot',
  'listApiKeys',
  'createApiKey',
  'revokeApiKey',
];
/** The operations whose answer is printed, because a caller must keep it, or a robot gave it. */
const WITH_ANSWER = ['createRobot', 'createParticipantToken', 'listLinks', 'sessionCommand', 'getSession', 'createApiKey'];
/** The variables that a reader sets in the shell, by the value that each replaces in the examples. */
const VARIABLES: Record<string, string> = { [EXAMPLE_ROBOT_ID]: '$ROBOT_ID', '042137': '$PIN' };

/** Returns the operations of a face in the order in which a reader can try them. */
export function operationsInOrder(face: Face): Route[] {
  const routes = new Map(routesOf(face).map((route) => [route.operationId, route]));
  const missing = [...routes.keys()].filter((id) => !ORDER.includes(id));
  if (missing.length > 0) throw new Error(`Add ${missing.join(', ')} to the order in scripts/docs/service-curls.ts.`);
  return ORDER.map((id) => {
    const route = routes.get(id);
    if (!route) throw new Error(`The service has no operation ${id}.`);
    return route;
  });
}

/**
 * Returns the curl of an operation from the examples of its description, and the answer of some: `Answered with STATUS:` and the
 * fences.
 */
export function curlOf(face: Face, route: Route): string {
  const status = route.answer === 'none' ? 204 : 200;
  const lines = [`Answered with ${status}:`, '', fence('sh', commandOf(face, route))];
  if (route.answer !== 'none' && WITH_ANSWER.includes(route.operationId))
    lines.push('', fence('json', JSON.stringify(exampleAnswer(face, route.answer), null, 2)));
  return lines.join('\n');
}

function commandOf(face: Face, { method, path, operationId }: Route): string {
  const address = `"$BASE_URL${face.prefix}${path.replace('{robot_id}', '$ROBOT_ID').replace('{key_id}', '$KEY_ID').replace('{link_id}', '$LINK_ID')}"`;
  const verb = method === 'get' ? '' : ` -X ${method.toUpperCase()}`;
  const lines = [`curl -s${verb} ${address}`, `-H "Authorization: Bearer $PLATFORM_API_KEY"`];
  const body = EXAMPLE_BODIES[operationId];
  if (body !== undefined) lines.push(`-H 'Content-Type: application/json'`, `-d ${shellText(body)}`);
  return lines.join(' \\\n  ');
}

/** Quotes JSON as a word of the shell, with a reader's own values in it. */
function shellText(body: unknown): string {
  const json = JSON.stringify(body, null, 1).replaceAll(/\n */g, ' ');
  const own = Object.entries(VARIABLES).reduce((text, [example, variable]) => text.replaceAll(example, variable), json);
  return own === json ? `'${json}'` : `"${own.replaceAll('"', '\\"')}"`;
}

const fence = (language: string, text: string): string => `\`\`\`${language}\n${text}\n\`\`\``;
