/** A program that joins a room twice, leaves, and does not exit explicitly. Its input is in the environment. */
import { Client, connect } from '../../../src/client/index.ts';
import { fakeFetch, SESSION } from './fake-fetch.ts';

const { SFU_URL: livekit_url = '', TOKEN: participant_token = '' } = process.env;
for (let n = 0; n < 2; n += 1) {
  const { fetch } = fakeFetch({ body: { ...SESSION, livekit_url, participant_token } }, { status: 204 });
  const session = await connect(new Client({ apiKey: 'sk_live_test', fetch }), 'r1', { workerNames: [] });
  await session.disconnect();
}
