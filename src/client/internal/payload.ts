import { IS_JSON_TEXT, isJsonText } from '../../common/json-text.ts';
import { isRecord } from '../../common/schema-texts.ts';
import { fitsRpc } from '../../protocol/wire/json.ts';
import { RPC_PAYLOAD_MAX_BYTES } from '../../protocol/wire/limits.ts';
import { RcwRuntimeError } from '../errors.ts';
import type { CallFailure } from './transport/call-failure.ts';

/**
 * Returns the JSON text of a payload.
 * @throws RcwRuntimeError `INVALID_INPUT` for values that JSON cannot express, `PAYLOAD_TOO_LARGE` for more than one RPC carries.
 * The runtime would reject both; here the error comes before anything is sent.
 */
export function encodePayload(payload: unknown): string {
  const text = toJson(payload ?? {});
  if (fitsRpc(text)) return text;
  throw new RcwRuntimeError(
    'PAYLOAD_TOO_LARGE',
    `The payload is larger than the ${RPC_PAYLOAD_MAX_BYTES} bytes one call carries; send less.`,
    unsent('input'),
  );
}

function toJson(payload: unknown): string {
  let text: string | undefined;
  try {
    text = JSON.stringify(payload, (key, value: unknown) => {
      if (typeof value === 'number' && !Number.isFinite(value)) throw invalidInput(`${key} is ${value}; send a finite number.`);
      return value;
    });
  } catch (error) {
    if (error instanceof RcwRuntimeError) throw error;
    // Causes: a bigint, an object that contains itself, or a `toJSON` of the caller. The engine's message may span several lines.
    const [why] = (error instanceof Error ? error.message : String(error)).split('\n');
    throw invalidInput(`The payload cannot be turned into JSON (${why}). Send strings, numbers, booleans, lists and objects.`);
  }
  if (text === undefined) throw invalidInput(`The payload is a ${typeof payload}. Send an object.`);
  return text;
}

/** Returns the refusal of a call that is not sent. */
export const invalidInput = (sentence: string): RcwRuntimeError =>
  new RcwRuntimeError('INVALID_INPUT', sentence, unsent('input'));

/** @param name of the value in the sentence @throws RcwRuntimeError `INVALID_INPUT` for anything but a non-empty string */
export function requireString(value: unknown, name: string): void {
  if (typeof value === 'string' && value !== '') return;
  throw invalidInput(`${name} is ${value === '' ? 'empty' : kindOf(value)} and must be a string of at least one character.`);
}

/**
 * Rejects options that are not an object.
 * @param form the correct form of the call, with `…` for a value
 * @throws RcwRuntimeError `INVALID_INPUT`
 */
export function requireOptions(options: unknown, form: string): void {
  if (isRecord(options)) return;
  const value = typeof options === 'string' || typeof options === 'number' ? JSON.stringify(options).slice(0, 80) : '…';
  const right = form.replace('…', () => value);
  throw invalidInput(`The options are ${kindOf(options)} and must be an object. Write ${right}.`);
}

/** Returns what is wrong with a timeout, in a sentence; null if it is valid. */
export function wrongTimeout(timeoutMs: unknown): string | null {
  if (typeof timeoutMs === 'number' && timeoutMs > 0) return null;
  return `timeoutMs is ${typeof timeoutMs === 'number' ? timeoutMs : kindOf(timeoutMs)}; pass milliseconds above 0.`;
}

/** Returns the kind of a value with its article. */
export function kindOf(value: unknown): string {
  const kind = Array.isArray(value) ? 'array' : typeof value;
  return value === null || kind === 'undefined' ? String(value) : `${/^[aeiou]/.test(kind) ? 'an' : 'a'} ${kind}`;
}

/**
 * Rejects an object that was turned into text.
 * @param name of the value in the sentence
 * @throws RcwRuntimeError `INVALID_INPUT`, before anything is sent
 */
export function refuseJsonText(value: unknown, name: string): void {
  if (isJsonText(value)) throw invalidInput(`${name} ${IS_JSON_TEXT}`);
}

const unsent = (stage: string) => ({ stage, attempted: false, world_changed: 'no', retryable: false });

/** Returns the error of a call that the runtime's side rejected without a reply of its own. */
export function refusalOf(failure: CallFailure, method: string): RcwRuntimeError {
  switch (failure.reason) {
    case 'unsupported':
      return new RcwRuntimeError('METHOD_NOT_FOUND', `The runtime in the room has no method ${method}.`, unsent('input'));
    case 'too_large':
      return new RcwRuntimeError('PAYLOAD_TOO_LARGE', `${method}: the payload or its reply is larger than one call carries.`);
    case 'fault':
      return new RcwRuntimeError('INTERNAL', `${method}: the runtime has a fault of its own.`);
    case 'absent':
    case 'lost':
      return new RcwRuntimeError('NOT_READY', `${method}: the runtime is not in the room.`);
  }
}
