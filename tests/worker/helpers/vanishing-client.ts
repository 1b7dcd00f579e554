/** A client that drives a robot and streams poses until it is killed. Prints a line when both have begun. */
import { readFileSync } from 'node:fs';
import { Client, connect } from '../../../src/client/index.ts';
import { STANDING } from '../../runtime/rcw/rcw-runtime.ts';

const [localFile = '', robotId = '', workerName = ''] = process.argv.slice(2);
const local = JSON.parse(readFileSync(localFile, 'utf8')) as { rcs_url: string; api_key: string };
const client = new Client({ rcsUrl: local.rcs_url, apiKey: local.api_key });
const session = await connect(client, robotId, { workerNames: [workerName], rcwIdentityPrefix: 'rcw' });
await session.waitUntilReady({ timeoutMs: 60_000 });
for (let sent = 0; ; sent += 1) {
  await session.invoke('set_upper_body' as string, { ...STANDING });
  if (sent === 5) process.stdout.write('streaming\n');
}
