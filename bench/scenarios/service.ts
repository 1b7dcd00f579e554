/** The control service against a bare Hono route that does the part nobody can leave out: it signs a token with jose. Both in process. */
import { Hono } from 'hono';
import { SignJWT } from 'jose';
import { startTestService } from '../../tests/control-service/helpers/service.ts';
import { type Scenario, timedMs } from '../scenario.ts';

const REQUESTS_A_ROUND = 20;
const SECRET = new TextEncoder().encode('of the bare route, which nobody else takes');
const IDENTITY = 'bench';

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
    const bare = new Hono().post('/token', async (context) => {
      const { participant_identity: identity } = await context.req.json();
      const token = await new SignJWT({ video: { room: 'bench', roomJoin: true } })
        .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
        .setSubject(identity)
        .setExpirationTime('1h')
        .sign(SECRET);
      return context.json({ participant_token: token });
    });
    const body = JSON.stringify({ participant_identity: IDENTITY });
    const askBare = async (): Promise<void> => {
      const response = await bare.request('/token', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
      await response.text();
    };
    const askOurs = async (): Promise<void> => {
      const { status } = await ours.send('POST', `${path}/participant-token`, { body });
      if (status !== 200) throw new Error(`The service answers ${status}.`);
    };
    const perRequestMs = async (ask: () => Promise<void>): Promise<number> =>
      (await timedMs(async () => {
        for (let asked = 0; asked < REQUESTS_A_ROUND; asked += 1) await ask();
      })) / REQUESTS_A_ROUND;
    return {
      async round() {
        // A minute of the service's own clock, so that no limit of an account is met.
        ours.clock.advanceMs(60_000);
        return { token: { bare: await perRequestMs(askBare), ours: await perRequestMs(askOurs) } };
      },
      close: () => ours.close(),
    };
  },
};
