import * as errors from '../protocol/texts/error-texts.ts';
import { isMethodName, METHOD_NAMES } from '../protocol/wire/methods.ts';
import { encodeGuard } from './reply.ts';

/**
 * Answers for a runtime that is still loading (promise P15): the guard NOT_READY with the loading part and its progress, for any
 * request.
 * Only a method that will not exist later either is refused as unknown. Runs before physics and worker are there.
 * @param loading part in a word or two; fraction 0…1
 * @returns JSON text
 */
export function notReadyReply(method: string, _payload: string, loading: { part: string; fraction: number }): string {
  if (!isMethodName(method)) return encodeGuard(errors.unknownMethod(method, METHOD_NAMES));
  return encodeGuard(errors.notReady(loading.part, loading.fraction));
}
