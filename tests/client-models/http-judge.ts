/** Checks an answer of the control service against what existing clients read: each face by its own models. */
import type { z } from 'zod';
import * as models from '../../src/protocol/client-models/http.ts';
import { errorSchema, LIBRARY_ANSWERS, PUBLIC_ANSWERS } from '../../src/protocol/service/face-answers.ts';
import { isRecord, problemsOf } from './problems.ts';
import { rpcReplyProblems } from './rpc-judge.ts';

export interface HttpAnswer {
  method: string;
  /** The path without the query. */
  path: string;
  status: number;
  body: string;
}

type AnswerKind = keyof typeof LIBRARY_ANSWERS;

const ROBOT = '/v1/robots/[^/]+';
/** The model of the successful answer of each operation. */
const OPERATIONS: [method: string, path: string, kind: AnswerKind | 'none'][] = [
  ['GET', '/v1/robots', 'robots'],
  ['POST', '/v1/robots', 'created'],
  ['GET', ROBOT, 'robot'],
  ['PATCH', ROBOT, 'robot'],
  ['DELETE', ROBOT, 'none'],
  ['POST', `${ROBOT}/claim`, 'robot'],
  ['POST', `${ROBOT}/session`, 'session'],
  ['DELETE', `${ROBOT}/session`, 'none'],
  ['GET', `${ROBOT}/session`, 'session_state'],
  ['GET', '/v1/sessions', 'sessions'],
  ['POST', `${ROBOT}/session/participant-token`, 'participant'],
  ['GET', `${ROBOT}/session/links`, 'links'],
  ['DELETE', `${ROBOT}/session/links/[^/]+`, 'none'],
  ['POST', `${ROBOT}/session/control-grant`, 'grant'],
  ['POST', `${ROBOT}/session/control`, 'control'],
  ['POST', `${ROBOT}/session/command`, 'command'],
  ['POST', `${ROBOT}/semantic-command`, 'accepted'],
  ['POST', `${ROBOT}/emergency-stop`, 'emergency'],
  ['GET', '/v1/api-keys', 'api_keys'],
  ['POST', '/v1/api-keys', 'api_key_created'],
  ['DELETE', '/v1/api-keys/[^/]+', 'none'],
];
const LIBRARY_MODELS: Partial<Record<AnswerKind, z.ZodType>> = {
  robot: models.clientRobotSchema,
  created: models.clientCreatedRobotSchema,
  robots: models.clientRobotPageSchema,
  session: models.clientSessionSchema,
  participant: models.clientParticipantTokenSchema,
};
/** The answer to a caller that has disconnected, which no client receives. */
const CLIENT_GONE = 499;

/** Returns whether the service has models for this address. */
export const hasModel = ({ method, path, status }: HttpAnswer): boolean =>
  /^(?:\/rcs)?\/v1(?:\/|$)/.test(path) && !['HEAD', 'OPTIONS'].includes(method) && status !== CLIENT_GONE;

/** Returns the values that a client would refuse, each with its path; empty if the client accepts the answer. */
export function httpAnswerProblems(answer: HttpAnswer): string[] {
  const { method, status } = answer;
  const isLibrary = answer.path.startsWith('/rcs/');
  const path = (isLibrary ? answer.path.slice('/rcs'.length) : answer.path).replace(/\/$/, '');
  const [, , kind] = OPERATIONS.find(([verb, pattern]) => verb === method && new RegExp(`^${pattern}$`).test(path)) ?? [];
  if (status === 204) return answer.body === '' && kind === 'none' ? [] : [`204 for ${kind} with ${answer.body}`];
  const body = parse(answer.body);
  if (body === undefined) return [`the body is not JSON: ${answer.body.slice(0, 200)}`];
  if (status >= 400) return [...problemsOf(models.clientErrorSchema, body), ...problemsOf(errorSchema, body)];
  if (status !== 200 || kind === undefined || kind === 'none') return [`status ${status} for an operation that answers ${kind}`];
  if (!isLibrary) {
    const problems = problemsOf(PUBLIC_ANSWERS[kind], body);
    return kind === 'command' && isRecord(body)
      ? [...problems, ...rpcReplyProblems('runtime.tools_call', body.result)]
      : problems;
  }
  if (kind === 'command') return rpcReplyProblems('runtime.tools_call', body);
  const model = LIBRARY_MODELS[kind];
  return [...(model ? problemsOf(model, body) : []), ...problemsOf(LIBRARY_ANSWERS[kind], body)];
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
