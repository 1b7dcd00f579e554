/** The caller of a request. */
export interface Caller {
  accountId: string;
}

/** A caller by the key that they sent. */
export interface KnownCaller extends Caller {
  keyId: string;
  /** When the key ends; null: never. */
  expiresAt: Date | null;
}
