/** A launcher of its own for tests that kill it: starts an SFU on any free ports, prints where, and waits for its end. */
import { startSfu } from '../../../src/launch/sfu.ts';

const sfu = await startSfu({ port: 0 });
process.stdout.write(`${JSON.stringify({ pid: sfu.pid, httpUrl: sfu.httpUrl, apiSecret: sfu.apiSecret })}\n`);
setInterval(() => {}, 60_000);
