import { apiKeysQuerySchema, createApiKeySchema } from '../protocol/service/control-requests.ts';
import { createApiKey, listApiKeys, revokeApiKey } from './operations/api-keys.ts';
import { type Route, route } from './route.ts';

const KEYS = '/v1/api-keys';

/** The operations on the API keys of an account, the same on both faces. */
export const API_KEY_ROUTES: Route[] = [
  route(
    {
      method: 'get',
      path: KEYS,
      operationId: 'listApiKeys',
      tag: 'API keys',
      summary: 'List the API keys of your account, oldest first',
      description:
        'One page of the keys that are not revoked, also those that have expired. Of the keys themselves it shows the first characters alone.',
      query: apiKeysQuerySchema,
      answer: 'api_keys',
      refusals: [],
    },
    async ({ deps, caller }, { query }) => ({
      kind: 'api_keys',
      ...(await listApiKeys(deps, caller, query)),
      ownKeyId: caller.keyId,
    }),
  ),
  route(
    {
      method: 'post',
      path: KEYS,
      operationId: 'createApiKey',
      tag: 'API keys',
      summary: 'Make a further API key for your account',
      description:
        'The answer holds the key, in `api_key`, this once: store it. It may do all that the key may with which it is made, and ends no later than that one.',
      body: createApiKeySchema,
      answer: 'api_key_created',
      refusals: [],
    },
    async ({ deps, caller }, { body }) => ({ kind: 'api_key_created', ...(await createApiKey(deps, caller, body)) }),
  ),
  route(
    {
      method: 'delete',
      path: `${KEYS}/{key_id}`,
      operationId: 'revokeApiKey',
      tag: 'API keys',
      summary: 'Revoke an API key of your account',
      description:
        'The next request with it is refused; sessions that were opened with it continue. A key may revoke itself and others, while another key of the account lasts at least as long as the revoked one. One that is revoked already stays so, and the answer is the same.',
      answer: 'none',
      refusals: ['api_key.not_found', 'api_key.last'],
    },
    async ({ deps, caller, keyId }) => {
      await revokeApiKey(deps, caller, keyId);
      return { kind: 'none' };
    },
  ),
];
