/** Checks every HTTP answer of the control service, however a test requests it. */
import { checkHttpAnswer } from './check.ts';

/** The part of the service that makes its answers. */
interface App {
  fetch(request: Request, ...rest: never[]): Response | Promise<Response>;
}

/** Ids of requests whose answers were checked in this process, at the service. */
const checked = new Set<string>();

/** The engine's own `fetch`, for tests with a malicious service, whose answers are not checked. */
export const unwatchedFetch = globalThis.fetch;

/** Checks all later answers of the application, to a test or to a socket. */
export function watchApp<A extends App>(app: A): A {
  const answer = app.fetch;
  app.fetch = async (request, ...rest) => {
    const response = await answer(request, ...rest);
    checked.add(response.headers.get('x-request-id') ?? '');
    await check(request.method, request.url, response);
    return response;
  };
  return app;
}

let watching: typeof globalThis.fetch | null = null;

/** Checks what a service in another process answers to this one's `fetch`. Repeated calls have no further effect. */
export function watchFetch(): void {
  const { fetch } = globalThis;
  if (fetch === watching) return;
  watching = async (input, init) => {
    const response = await fetch(input, init).catch(reportCause);
    if (!checked.has(response.headers.get('x-request-id') ?? '')) {
      const { method = 'GET', url } = input instanceof Request ? input : { url: String(input), method: init?.method };
      await check(method, url, response);
    }
    return response;
  };
  globalThis.fetch = watching;
}

/** The engine reports "fetch failed" and hides the cause, because reports of tests show only the stack. */
function reportCause(error: unknown): never {
  if (error instanceof Error && error.cause instanceof Error) error.stack += `\n    because: ${error.cause.stack}`;
  throw error;
}

async function check(method: string, url: string, response: Response): Promise<void> {
  const { pathname } = new URL(url);
  if (!/\/v1(?:\/|$)/.test(pathname)) return;
  try {
    checkHttpAnswer({ method, path: pathname, status: response.status, body: await response.clone().text() });
  } catch {
    // The answer is passed on; the test fails at its end.
  }
}
