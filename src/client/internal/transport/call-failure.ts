import type { CallFailureReason } from '../../transport.ts';

/** An RPC that brought no reply. Never leaves the library: callers get `RcwRuntimeError` or `TimeoutError`. */
export class CallFailure extends Error {
  override name = 'CallFailure';
  readonly reason: CallFailureReason;

  constructor(reason: CallFailureReason, cause: unknown) {
    super(`the call failed: ${reason}`, { cause });
    this.reason = reason;
  }
}

/** LiveKit's numbers for RPC failures, the same in all its SDKs. */
const REASON_OF_RPC_CODE: Record<number, CallFailureReason> = {
  1400: 'unsupported',
  1401: 'absent',
  1402: 'too_large',
  1403: 'unsupported',
  1404: 'unsupported',
  1500: 'fault',
  1501: 'lost',
  1502: 'lost',
  1503: 'lost',
  1504: 'too_large',
  1505: 'lost',
};

/** Reads an error of a LiveKit SDK. An unknown error counts as `lost`, which is the cautious reading. */
export function callFailureOf(error: unknown): CallFailure {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return new CallFailure((typeof code === 'number' && REASON_OF_RPC_CODE[code]) || 'lost', error);
}
