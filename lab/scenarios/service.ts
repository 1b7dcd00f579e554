/**
 * The control service against a bare Hono route with the necessary work: it signs a token with jose, and in a second variant also
 * queries the database. All in process.
 */
import type { PGlite } from '@electric-sql/pglite';
import { Hono } from 'hono';
import { SignJWT } from 'jose';
import { startTestService, type TestService } from '../../tests/control-service/helpers/service.ts';
import { type Scenario, timedMs } from '../scenario.ts';

const REQUESTS_A_ROUND = 20;
const SECRET = new TextEncoder().encode('the secret of the bare route, for tokens');
const BODY = JSON.stringify({ participant_identity: 'bench' });

type Ask = () => Promise<void>;

export const service: Scenario<'service'> = {
  name: 'service',
  rounds: { smoke: 1, full: 60 },
  warmUpRounds: { smoke: 0, full: 10 },
  async open() {
    const ours = await startTestService();
    await ours.reset();
    const created = await ours.send('POST', '/v1/robots', { body: { name: 'bench', model: 'bench', type: 'virtual' } });
    const path = `/v1/robots/${created.body.result.id}/session`;
    await ours.send('POST', path, { body: { worker_names: [] } });
    const askOurs: Ask = async () => {
      const { status } = await ours.send('POST', `${path}/participant-token`, { body: BODY });
      if (status !== 200) throw new Error(`The service answers ${status}.`);
    };
    const askBare = bareRoute();
    const askWithLookup = bareRoute(await questionsOf(ours, askOurs));
    return {
      async round() {
        // One minute of the service's own clock, so that no limit of an account is reached.
        ours.clock.advanceMs(60_000);
        const bare = await perRequestMs(askBare);
        const lookup = await perRequestMs(askWithLookup);
        const oursMs = await perRequestMs(askOurs);
        return { token: { bare, ours: oursMs }, lookup: { bare: lookup, ours: oursMs } };
      },
      close: () => ours.close(),
    };
  },
};

async function perRequestMs(ask: Ask): Promise<number> {
  const tookMs = await timedMs(async () => {
    for (let asked = 0; asked < REQUESTS_A_ROUND; asked += 1) await ask();
  });
  return tookMs / REQUESTS_A_ROUND;
}

/** Creates a route that signs a token, after it has made its other queries. */
function bareRoute(lookUp: Ask = async () => {}): Ask {
  const app = new Hono().post('/token', async (context) => {
    const { participant_identity: identity } = await context.req.json();
    await lookUp();
    const token = await new SignJWT({ video: { room: 'bench', roomJoin: true } })
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      .setSubject(identity)
      .setExpirationTime('1h')
      .sign(SECRET);
    return context.json({ participant_token: token });
  });
  return async () => {
    const response = await app.request('/token', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: BODY,
    });
    await response.text();
  };
}

/**
 * Returns the service's database queries for one answer: the same statements with the same values, in plain SQL and one after the
 * other.
 */
async function questionsOf({ deps }: TestService, ask: Ask): Promise<Ask> {
  const client = (deps.db as unknown as { $client: PGlite }).$client;
  const asked: { text: string; values: unknown[] }[] = [];
  const query = client.query.bind(client);
  client.query = ((text: string, values: unknown[], options: object) => {
    asked.push({ text, values });
    return query(text, values, options);
  }) as PGlite['query'];
  try {
    await ask();
  } finally {
    client.query = query;
  }
  if (asked.length === 0) throw new Error('The service makes no database query for a token.');
  return async () => {
    for (const { text, values } of asked) await query(text, values);
  };
}
