/** The caller of a request. */
export interface Caller {
  accountId: string;
}

/** A caller, identified by the key of the request. */
export interface KnownCaller extends Caller {
  keyId: string;
  /** When the key ends; null: never. */
  expiresAt: Date | null;
}
