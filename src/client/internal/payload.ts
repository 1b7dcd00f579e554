import { fitsRpc } from '../../protocol/json.ts';
import { IS_JSON_TEXT, isJsonText } from '../../protocol/json-text.ts';
import { RPC_PAYLOAD_MAX_BYTES } from '../../protocol/limits.ts';
import { RcwRuntimeError } from '../errors.ts';
import type { CallFailure } from './transport/call-failure.ts';

/**
 * JSON text of a payload.
 * @throws RcwRuntimeError `INVALID_INPUT` for a number that JSON cannot hold, `PAYLOAD_TOO_LARGE` for more than one RPC carries:
 * what the runtime would say, said before anything is sent
 */
export function encodePayload(payload: unknown): string {
  const text = JSON.stringify(payload ?? {}, (key, value: unknown) => {
    if (typeof value === 'number' && !Number.isFinite(value)) {
      throw new RcwRuntimeError('INVALID_INPUT', `${key} is ${value}; send a finite number.`, unsent('input'));
    }
    return value;
  });
  if (fitsRpc(text)) return text;
  throw new RcwRuntimeError(
    'PAYLOAD_TOO_LARGE',
    `The payload is larger than the ${RPC_PAYLOAD_MAX_BYTES} bytes one call carries; send less.`,
    unsent('input'),
  );
}

/**
 * Refuses an object that was turned into text.
 * @param name of the value in the sentence
 * @throws RcwRuntimeError `INVALID_INPUT`, before anything is sent
 */
export function refuseJsonText(value: unknown, name: string): void {
  if (isJsonText(value)) throw new RcwRuntimeError('INVALID_INPUT', `${name} ${IS_JSON_TEXT}`, unsent('input'));
}

const unsent = (stage: string) => ({ stage, attempted: false, world_changed: 'no', retryable: false });

/** Returns the error of a call that the runtime's side refused without a reply of its own. */
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
