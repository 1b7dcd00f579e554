import * as errors from '../protocol/error-texts.ts';
import { isMethodName, METHOD_NAMES } from '../protocol/methods.ts';
import { encodeGuard } from './reply.ts';

/**
 * What a runtime that still loads answers (promise P15): the guard NOT_READY with what is loading and how far, whatever is asked.
 * Only a method that will not exist later either is refused as unknown. Runs before physics and worker are there.
 * @param loading part in a word or two; fraction 0…1
 * @returns JSON text
 */
export function notReadyReply(method: string, _payload: string, loading: { part: string; fraction: number }): string {
  if (!isMethodName(method)) return encodeGuard(errors.unknownMethod(method, METHOD_NAMES));
  return encodeGuard(errors.notReady(loading.part, loading.fraction));
}
