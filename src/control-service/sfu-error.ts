/** Why a call to the SFU failed. */
export type SfuErrorReason =
  | 'unreachable'
  | 'refused'
  | 'no_participant'
  | 'rpc_no_reply'
  | 'rpc_unknown_method'
  | 'rpc_reply_too_large'
  | 'rpc_failed';

/** A call to the SFU that failed. The message holds no secret. */
export class SfuError extends Error {
  readonly reason: SfuErrorReason;
  constructor(reason: SfuErrorReason, message: string) {
    super(message);
    this.name = 'SfuError';
    this.reason = reason;
  }
}

/** The address of an SFU and its keys. */
export interface SfuAccess {
  participantUrl: string;
  httpUrl: string;
  apiKey: string;
  apiSecret: string;
}
