import type { IncomingMessage, ServerResponse } from 'node:http';
import { isIP } from 'node:net';

const SETTING = 'SIMPLESIM_ALLOWED_HOSTS';
const NAME = /^(?:\*\.)?[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/;

/**
 * Returns the names of SIMPLESIM_ALLOWED_HOSTS, separated by commas or spaces; `*.example.org` stands for all names below it.
 * @throws With what to set
 */
export function readAllowedHosts(env: NodeJS.ProcessEnv): string[] {
  const names = (env[SETTING] ?? '').toLowerCase().split(/[\s,]+/);
  const wrong = names.find((name) => name !== '' && !NAME.test(name));
  if (wrong !== undefined) {
    throw new Error(
      `${SETTING} holds "${wrong}". Set it to names of hosts such as robots.example.org, without scheme and port, with commas between.`,
    );
  }
  return names.filter((name) => name !== '');
}

/**
 * Returns whether a request was sent to this machine under one of its own names: `localhost`, an IP address, or one of the
 * settings. A foreign page can make its own name resolve to this machine (DNS rebinding) and would then count as the platform's
 * own page. It cannot do so with an address.
 * @param host the header, with or without port
 */
export function isKnownHost(host: string, allowed: readonly string[]): boolean {
  const [, bracketed, plain = ''] = /^(?:\[([^\]]*)\]|([^:]*))(?::\d*)?$/.exec(host.toLowerCase()) ?? [];
  if (bracketed !== undefined) return isIP(bracketed) === 6;
  const name = plain.replace(/\.$/, '');
  if (name === 'localhost' || name.endsWith('.localhost') || isIP(name) === 4) return true;
  return allowed.some((one) => (one.startsWith('*.') ? name.endsWith(one.slice(1)) : name === one));
}

/** Returns the handler that rejects a request under a foreign name; null for others. */
export function refusalOfHost(
  request: IncomingMessage,
  allowed: readonly string[],
): ((request: IncomingMessage, response: ServerResponse) => void) | null {
  const { host } = request.headers;
  if (host === undefined || isKnownHost(host, allowed)) return null;
  return (_, response) => {
    response.writeHead(421, { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' });
    response.end(
      `Nothing is served under this name here: the platform answers at localhost and at IP addresses. To reach it by another name, start it with ${SETTING} set to that name.\n`,
    );
  };
}
