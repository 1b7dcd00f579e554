import type { IncomingMessage, ServerResponse } from 'node:http';
import { SERVICE_PATH } from './front.ts';
import { HTTP_HOST } from './http-server.ts';

/** Other names of this machine that a person may type. */
const OTHER_NAME = /^(?:localhost\.?|\[::1\])(:\d+)?$/i;

/**
 * Redirects a page that was opened under another name of this machine to the name in links; null for all other requests. To a
 * browser each name is a separate site: two tabs under two names would not know of each other, and the second would displace the
 * first without asking. Frames and programs are not redirected.
 */
export function redirectToOneName({
  method,
  url = '/',
  headers,
}: IncomingMessage): ((request: IncomingMessage, response: ServerResponse) => void) | null {
  const named = OTHER_NAME.exec(headers.host ?? '');
  const isPage = (method === 'GET' || method === 'HEAD') && headers['sec-fetch-dest'] === 'document';
  if (!named || !isPage || SERVICE_PATH.test(url) || !url.startsWith('/')) return null;
  return (_, response) => {
    response.writeHead(307, { Location: `http://${HTTP_HOST}${named[1] ?? ''}${url}`, 'Cache-Control': 'no-store' });
    response.end();
  };
}
