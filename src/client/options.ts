/** Receives the library's log messages. They contain no headers, bodies or credentials. */
export interface Logger {
  /** For developers: requests, times and answers. */
  debug(message: string): void;
  /** For operators: something is wrong, but the library continues. */
  warn(message: string): void;
}

/** Options of `Client`. Absent options come from the environment (Node), then from the default. */
export interface ClientOptions {
  /** Root of the control service. @default PLATFORM_RCS_URL, else http://localhost:8080/rcs */
  rcsUrl?: string;
  /** The API key, `sk_live_…`. @default PLATFORM_API_KEY */
  apiKey?: string;
  /** Longest wait for one HTTP answer, milliseconds. @default PLATFORM_ROBOT_SDK_TIMEOUT (seconds), else 30 000 */
  timeoutMs?: number;
  /** Number of retries of a GET after a transport failure or a 429. @default PLATFORM_ROBOT_SDK_MAX_RETRIES, else 2 */
  maxRetries?: number;
  /** Base of room-key links. @default PLATFORM_ROBOT_VIEWER_URL, else what the service reports, else http://localhost:8080 */
  viewerUrl?: string;
  /** The function that sends the requests. @default the global fetch */
  fetch?: typeof fetch;
  /** Receives the library's log messages. @default the console when PLATFORM_ROBOT_SDK_DEBUG is 1, else only warnings */
  logger?: Logger;
}

/** Options of every call to the control service. */
export interface RequestOptions {
  /** Ends the call, which rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Longest wait for one answer, milliseconds. @default timeoutMs of the client */
  timeoutMs?: number | undefined;
}
