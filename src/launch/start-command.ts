/** `npm start` and `npm run dev` (`--dev`): the local platform in a terminal. */
import { relative } from 'node:path';
import type { LogEntry } from '../control-service/deps.ts';
import { chooseLanAddress } from './lan/address.ts';
import { leaveOnce } from './leave-once.ts';
import { print, printError, printProgress, printTrouble } from './output.ts';
import { type Platform, startPlatform } from './platform.ts';
import { UsageError } from './read-options.ts';
import { readStartArgs, START_USAGE, type StartArgs } from './start-args.ts';
import { troubleLine } from './terminal-log.ts';

const startedMs = performance.now();
let platform: Platform | null = null;

try {
  const args = readStartArgs(process.argv.slice(2));
  if (args === null) print(START_USAGE);
  else await start(args);
} catch (error) {
  printTrouble(error, '\nThe platform did not start. ');
  process.exit(error instanceof UsageError ? 2 : 1);
}

async function start({ dev, lan, newSfuKeys }: StartArgs): Promise<void> {
  const address = lan && chooseLanAddress(lan.address);
  // After a second Ctrl-C, the SFU's guard still ends the SFU.
  leaveOnce((why) => leave(why === 'told' ? 0 : 1), 1);
  platform = await startPlatform({
    dev,
    newSfuKeys,
    lan: address,
    onProgress: printProgress,
    onLog: logTrouble,
  });
  print(welcome(platform));
}

/** Logs problems. Successful requests are not printed in a terminal. */
function logTrouble(entry: LogEntry): void {
  if (entry.level === 'info') return;
  printError(troubleLine(entry));
}

/** Returns the steps on a phone, or the start command that enables phones. */
function phoneText(lan: Platform['lan']): string {
  if (lan === null) return 'For a phone or tablet, start with: npm start -- --lan';
  return `On a phone in the same network: open the link above here first, choose Menu, "Open on a phone", and scan the code. Or open this link on the phone:

${lan.roomKeyUrl}

Its browser warns, because this machine has made the certificate itself. Continue if it has this SHA-256 fingerprint:
${lan.fingerprint}

A firewall has to let through TCP ${lan.tcpPorts.join(' and ')}, UDP ${lan.udpPorts.join(' and ')}. The network is served the page, its room and the API; the API key of this platform counts on this machine alone. For pupils' programs: npm run simplesim -- class names.txt --lan. More: docs/network.md`;
}

function welcome(platform: Platform): string {
  const { roomKeyUrl, viewerUrl, robotId, localFile, lan } = platform;
  const seconds = Math.round((performance.now() - startedMs) / 1000);
  const file = relative(process.cwd(), localFile);
  return `
SimpleSim is ready (${seconds} s). Robot ${robotId}

Open the robot in Chrome. The link is good for four hours ("npm run link" gives a fresh one). Anyone with this link can become the robot: keep it private.

${roomKeyUrl}

All your robots on one page, with your API keys. This link opens it once, within ten minutes; later open ${viewerUrl}/robots and paste the API key:

${platform.makeRobotsUrl()}

${phoneText(lan)}

Then drive it from another terminal, in this folder (the API key is in ${file}):

npx tsx <<'EOF'
import { readFileSync } from 'node:fs';
import { Client, connect } from 'platform-robot-sdk';
const local = JSON.parse(readFileSync('${file}', 'utf8'));
const client = new Client({ rcsUrl: local.rcs_url, apiKey: local.api_key });
const session = await connect(client, local.robot_id, { workerNames: [], joinLivekit: true });
await session.waitUntilReady();
console.log(await session.invoke('set_velocity', { wz: 0.8, duration_s: 2 }));
await session.disconnect({ keepSession: true });
EOF

Or from Python (3.11 or newer; the first line installs the library, once):

python3 -m venv .cache/drive && .cache/drive/bin/pip install --quiet "./clients/python[realtime]"
.cache/drive/bin/python - <<'EOF'
import asyncio, json
from platform_robot_sdk import AsyncClient, connect
async def main():
    local = json.load(open("${file}"))
    async with AsyncClient(rcs_url=local["rcs_url"], api_key=local["api_key"]) as client:
        async with connect(client, local["robot_id"], worker_names=[], keep_session=True) as session:
            await session.wait_until_ready()
            print(await session.invoke("set_velocity", {"wz": -0.8, "duration_s": 2}))
asyncio.run(main())
EOF

Ctrl-C ends the platform.`;
}

async function leave(exitCode: number): Promise<void> {
  print('\nEnding the platform');
  // While it is starting, there is nothing to end in order: everything open ends with the process.
  if (!platform) process.exit(exitCode);
  await platform.stop();
  process.exit(exitCode);
}
