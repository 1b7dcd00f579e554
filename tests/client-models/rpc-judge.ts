/** Checks a reply of a runtime against what existing clients read. */
import type { z } from 'zod';
import * as models from '../../src/protocol/client-models/rpc.ts';
import { isRecord, problemsOf } from './problems.ts';

/** The models of the answers, besides refusals. Clients read manifest and capabilities as objects without any fixed field. */
const READS: Record<string, z.ZodType> = {
  'runtime.tools_list': models.clientSkillDescriptorSchema.array(),
  'runtime.state': models.clientRuntimeStateSchema,
  'runtime.scene_state': models.clientSceneStateSchema,
  'runtime.scene_layout': models.clientSceneLayoutSchema,
};
const ACTION_METHODS = ['runtime.tools_call', 'runtime.cancel', 'runtime.cameras_capture', 'runtime.forward_envelope'];

/** Returns the values that a checking client would refuse, each with its path; empty if the client accepts the reply. */
export function rpcReplyProblems(method: string, reply: unknown): string[] {
  if (isRecord(reply) && reply.status === 'failed' && reply.meta === undefined) {
    return problemsOf(models.clientGuardSchema, reply);
  }
  if (ACTION_METHODS.includes(method)) return actionResultProblems(method, reply);
  if (method === 'runtime.action') return storedProblems(reply);
  const model = Object.hasOwn(READS, method) ? READS[method] : undefined;
  if (model) return problemsOf(model, reply);
  return isRecord(reply) ? [] : [`the reply is not an object: ${JSON.stringify(reply)}`];
}

/** Either one action by its id, which may still run, or the last ones. */
function storedProblems(reply: unknown): string[] {
  if (Array.isArray(reply)) return reply.flatMap((stored: unknown) => actionResultProblems('runtime.action', stored));
  if (!isRecord(reply) || reply.status !== 'running') return actionResultProblems('runtime.action', reply);
  return problemsOf(models.clientActiveActionSchema, reply.active_action, ['active_action']);
}

export function actionResultProblems(method: string, reply: unknown): string[] {
  const problems = problemsOf(models.clientActionResultSchema, reply);
  if (problems.length > 0 || !isRecord(reply)) return problems;
  if ((reply.status === 'failed') !== isRecord(reply.error)) problems.push(`${reply.status} with error ${reply.error}`);
  const { result } = reply;
  if (method === 'runtime.cameras_capture' && reply.status === 'done') {
    problems.push(...problemsOf(models.clientCaptureSchema, result, ['result']));
  }
  // The worker's skill that reads the state.
  if (isRecord(result) && isRecord(result.state) && 'robot' in result.state) {
    problems.push(...problemsOf(models.clientRuntimeStateSchema, result.state, ['result', 'state']));
  }
  return problems;
}
