import { createApp } from '../../control-service/app.ts';
import type { Caller } from '../../control-service/caller.ts';
import type { ServiceDeps } from '../../control-service/deps.ts';
import type { Behind } from '../front.ts';

/** The addresses that the service gives to programs in the network. */
export interface NetworkPlaces {
  /** Address of the room, `wss://…`. */
  roomUrl: string;
  /** Address of the page, `https://…`. */
  viewerUrl: string;
}

const API = /^\/(?:rcs\/)?v1\//;
const ONLY_HERE =
  'The network is served the page, its room and the API. The platform answers this address on the machine itself alone.';

/**
 * Returns the control service for programs on other machines of the network: the two faces of the API without descriptions and
 * metrics.
 * @param own the account of the platform's own user, whose keys are valid only on the machine itself
 */
export function networkService(deps: ServiceDeps, { roomUrl, viewerUrl }: NetworkPlaces, own: Caller): Behind['service'] {
  const places = {
    sfu: { ...deps.sfu, participantUrl: roomUrl },
    settings: { ...deps.settings, viewerUrl },
  };
  const app = createApp({ ...deps, ...places }, { serves: ({ accountId }) => accountId !== own.accountId });
  return {
    fetch: (request, env) => (API.test(new URL(request.url).pathname) ? app.fetch(request, env) : notServed(env.requestId)),
  };
}

const notServed = (requestId: string): Response =>
  Response.json(
    { code: 'http.not_found', message: ONLY_HERE, details: { request_id: requestId } },
    { status: 404, headers: { 'Cache-Control': 'no-store' } },
  );
