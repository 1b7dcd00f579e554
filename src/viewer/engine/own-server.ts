/**
 * Returns the full address of a path of the page's own server. Paths are relative to the folder of the page, because a reverse
 * proxy may serve the page below a prefix of its site.
 * @param path begins with a slash
 */
export const ownAddress = (path: string): string => new URL(`.${path}`, location.href).href;

/** Fetches a path of the page's own server. */
export const fetchOwn = (path: string, init?: RequestInit): Promise<Response> => fetch(ownAddress(path), init);

/**
 * Posts JSON to a path of the page's own server that accepts the right of a room key or of a link. Requests with an API key are
 * sent by the client library.
 */
export const postOwn = (path: string, body: object, init?: RequestInit, send = fetchOwn): Promise<Response> =>
  send(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
    cache: 'no-store',
    ...init,
  });
