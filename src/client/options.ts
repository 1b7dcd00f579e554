/** Where the library tells what it does. Messages hold neither headers, bodies nor credentials. */
export interface Logger {
  /** For developers: requests, times and answers. */
  debug(message: string): void;
  /** For operators: something that should not be, and that the library goes on with. */
  warn(message: string): void;
}

/** Options of `Client`; what is absent comes from the environment (Node), then from the default. */
export interface ClientOptions {
  /** Root of the control service. @default PLATFORM_RCS_URL, else http://localhost:8080/rcs */
  rcsUrl?: string;
  /** The API key, `sk_live_…`. @default PLATFORM_API_KEY */
  apiKey?: string;
  /** Longest wait for one HTTP answer, milliseconds. @default PLATFORM_ROBOT_SDK_TIMEOUT (seconds), else 30 000 */
  timeoutMs?: number;
  /** How often a GET is tried again after a transport failure or a 429. @default PLATFORM_ROBOT_SDK_MAX_RETRIES, else 2 */
  maxRetries?: number;
  /** Base of room-key links. @default PLATFORM_ROBOT_VIEWER_URL, else what the service reports, else http://localhost:8080 */
  viewerUrl?: string;
  /** Carries the requests. @default the global fetch */
  fetch?: typeof fetch;
  /** Is told what the library does. @default the console when PLATFORM_ROBOT_SDK_DEBUG is 1, else only warnings */
  logger?: Logger;
}

/** Options of every call to the control service. */
export interface RequestOptions {
  /** Ends the call; it rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Longest wait for one answer, milliseconds. @default timeoutMs of the client */
  timeoutMs?: number | undefined;
}
