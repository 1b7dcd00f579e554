/** Puts the check under every HTTP answer of the control service, in whichever way a test asks for it. */
import { checkHttpAnswer } from './check.ts';

/** The service as an application: what has to do with its answers. */
interface App {
  fetch(request: Request, ...rest: never[]): Response | Promise<Response>;
}

/** Ids of requests whose answers were checked in this process, where they were made. */
const checked = new Set<string>();

/** The engine's own, for tests whose service means harm: what that answers is no reply of ours. */
export const unwatchedFetch = globalThis.fetch;

/** Checks whatever the application answers from now on, to a test or to a socket. */
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

/** Checks what a service in another process answers to this one's `fetch`; once, however often it is asked to. */
export function watchFetch(): void {
  const { fetch } = globalThis;
  if (fetch === watching) return;
  watching = async (input, init) => {
    const response = await fetch(input, init).catch(tellCause);
    if (!checked.has(response.headers.get('x-request-id') ?? '')) {
      const { method = 'GET', url } = input instanceof Request ? input : { url: String(input), method: init?.method };
      await check(method, url, response);
    }
    return response;
  };
  globalThis.fetch = watching;
}

/** The engine says "fetch failed" and keeps why to itself; reports of tests show the stack alone. */
function tellCause(error: unknown): never {
  if (error instanceof Error && error.cause instanceof Error) error.stack += `\n    because: ${error.cause.stack}`;
  throw error;
}

async function check(method: string, url: string, response: Response): Promise<void> {
  const { pathname } = new URL(url);
  if (!/\/v1(?:\/|$)/.test(pathname)) return;
  try {
    checkHttpAnswer({ method, path: pathname, status: response.status, body: await response.clone().text() });
  } catch {
    // The answer goes its way; the test fails at its end.
  }
}
