import { encodeQR } from 'qr';
import { xml } from '../headless/eval/junit.ts';

/** A pupil's robot on the sheet. */
export interface ClassRow {
  name: string;
  robotId: string;
  /** A secret: a tab that opens it becomes the robot. */
  link: string;
  /** A secret: the key of an account that has only this robot. Absent on a page of links alone. */
  apiKey?: string | undefined;
}

/** The data that all programs on other machines of the network need. It contains no secret. */
export interface ProgramAccess {
  /** Address of the control service, `https://…/rcs`. */
  rcsUrl: string;
  certificateUrl: string;
  /** SHA-256 of the file with the certificate, in hex. */
  certificateSha256: string;
}

/**
 * Returns a page to print: for each name the link to its robot and the link's QR code. It loads nothing.
 * @param endsAt when the links and the keys end
 * @param programs how programs on other machines reach the service; null for a page of links alone
 */
export function classPage(rows: readonly ClassRow[], endsAt: Date, programs: ProgramAccess | null = null): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>Robots of the class</title>
<style>
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
  body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
  ul { display: grid; grid-template-columns: ${programs ? '1fr' : 'repeat(auto-fill, minmax(min(100%, 16rem), 1fr))'}; gap: 1rem; padding: 0; list-style: none; }
  ul li { padding: 1rem; border: 1px solid #8888; border-radius: 0.75rem; break-inside: avoid; }
  h2 { font-size: 1.25rem; overflow-wrap: anywhere; }
  ul h2 { margin: 0 0 0.5rem; }
  svg { display: block; width: 100%; max-width: 18rem; background: #fff; }
  .with-settings { display: grid; grid-template-columns: 13rem minmax(0, 1fr); column-gap: 1.5rem; }
  .with-settings h2 { grid-column: 1 / -1; }
  @media (max-width: 48rem) { .with-settings { display: block; } }
  code, pre { font-size: 0.75rem; overflow-wrap: anywhere; }
  li > p, li > div > p { margin: 0.5rem 0; }
  pre { white-space: pre-wrap; break-inside: avoid; }
  @media print { body { margin: 0; max-width: none; } .screen { display: none; } a { color: inherit; text-decoration: none; } }
</style>
</head>
<body>
<h1>Robots of the class</h1>
<p>Open your link, or scan its code: the tab is then your robot. The ${programs ? 'links and keys' : 'links'} end at ${xml(timeText(endsAt))}.</p>
<p class="screen">Each link is a secret: a person who has it can control that robot. ${programs ? 'Each key is a secret, too. ' : ''}A code is for a device with a camera: print this page for those, and send each computer its link${programs ? ' and settings' : ''}. Delete the file after the lesson.</p>
<ul>
${rows.map((row) => card(row, programs)).join('\n')}
</ul>
${programs ? programSteps(programs) : ''}</body>
</html>
`;
}

function card({ name, robotId, link, apiKey }: ClassRow, programs: ProgramAccess | null): string {
  const hasSettings = programs !== null && apiKey != null;
  const settings = hasSettings
    ? `<p>Settings of your program:</p>
<pre>${xml(`export PLATFORM_RCS_URL=${programs.rcsUrl}
export PLATFORM_API_KEY=${apiKey}
export SIMPLESIM_ROBOT_ID=${robotId}`)}</pre>`
    : `<code>${xml(robotId)}</code>`;
  return `<li${hasSettings ? ' class="with-settings"' : ''}>
<h2>${xml(name)}</h2>
<div role="img" aria-label="QR code of the link">${encodeQR(link, 'svg', { ecc: 'low', border: QUIET_ZONE })}</div>
<div>
<p class="screen"><a href="${xml(link)}">Open this robot</a></p>
${settings}
</div>
</li>`;
}

const CERTIFICATE_FILE = 'simplesim.crt';

const PYTHON = `import asyncio, os
from platform_robot_sdk import AsyncClient, connect

async def main():
    session = await connect(AsyncClient(), os.environ["SIMPLESIM_ROBOT_ID"], worker_names=[], keep_session=True)
    await session.wait_until_ready()
    print(await session.drive(vx=0.3, duration_s=1))
    await session.disconnect()

asyncio.run(main())
`;

const TYPESCRIPT = `import { Client, connect } from 'platform-robot-sdk';

const robotId = process.env.SIMPLESIM_ROBOT_ID ?? '';
const session = await connect(new Client(), robotId, { workerNames: [], joinLivekit: true });
await session.waitUntilReady();
console.log(await session.drive({ vx: 0.3, duration_s: 1 }));
await session.disconnect({ keepSession: true });
`;

/** The part that is the same for every pupil: how a program recognises this machine, and the shortest program that drives. */
function programSteps({ certificateUrl, certificateSha256 }: ProgramAccess): string {
  return `<h2>Drive your robot with a program</h2>
<ol>
<li><p>Open your link, and leave the tab open.</p></li>
<li><p>Install the client library, for Python 3.11 or newer, or for TypeScript with Node 20.19 or newer, from the file that your teacher gives you:</p>
<pre>${xml(`pip install "./platform_robot_sdk-….whl[realtime]"
npm install ./platform-robot-sdk-….tgz @livekit/rtc-node tsx`)}</pre></li>
<li><p>Get the certificate of the platform, and compare the SHA-256 of the file:</p>
<pre>${xml(`curl -k -o ${CERTIFICATE_FILE} ${certificateUrl}
sha256sum ${CERTIFICATE_FILE}
${certificateSha256}`)}</pre>
<p>On macOS the second command is <code>shasum -a 256</code>, in PowerShell <code>Get-FileHash</code>, and the first is <code>curl.exe</code> there. If the two numbers differ, another machine answers: stop here. The fingerprint that <code>npm start -- --lan</code> prints is another number: it is that of the certificate, not of the file.</p></li>
<li><p>Set the variables, these and the three of your card, in the terminal of your program. In PowerShell write <code>$env:NAME = "value"</code> for <code>export NAME=value</code>.</p>
<pre id="trust">${xml(`export SSL_CERT_FILE="$PWD/${CERTIFICATE_FILE}"
export NODE_EXTRA_CA_CERTS="$PWD/${CERTIFICATE_FILE}"`)}</pre></li>
<li><p>Save a program as <code>agent.py</code>, and run it with <code>python agent.py</code>:</p>
<pre id="python">${xml(PYTHON)}</pre>
<p>Or save it as <code>agent.ts</code>, and run it with <code>npx tsx agent.ts</code>:</p>
<pre id="typescript">${xml(TYPESCRIPT)}</pre></li>
</ol>
`;
}

/** Width in modules of the quiet zone around a code, as the standard requires. */
const QUIET_ZONE = 4;

/** In the time zone of this machine. */
const timeText = (at: Date): string => at.toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
