/** docs/reference/settings.md: every environment variable, from `settings.ts`. */

import { code, markdownTable } from './markdown.ts';
import { READERS } from './setting-kinds.ts';
import { AGENT_SETTINGS, SETTINGS } from './settings.ts';

/** Returns the text of the page. */
export function settingsPage(): string {
  const rows = SETTINGS.toSorted((a, b) => (a.name < b.name ? -1 : 1)).map(({ name, meaning, default: standard, readers }) => [
    code(name),
    meaning,
    standard,
    readers.map((reader) => READERS[reader]).join(', '),
  ]);
  const agentRows = Object.entries(AGENT_SETTINGS).map(([name, meaning]) => [code(name), meaning]);
  return `# Settings

Made by \`npm run docs\` from \`scripts/docs/settings.ts\`; do not edit by hand.

This page lists every environment variable that SimpleSim reads, its default, and the programs that read it. Options of commands are in
[commands](commands.md).

- An empty variable counts as not set, except \`SIMPLESIM_SFU_DOWNLOADS\` and \`SIMPLESIM_DIST_DIR\`. A program that
  cannot use a value names the variable and stops.
- Variables for secrets are \`DATABASE_URL\`, \`LIVEKIT_API_SECRET\`, \`PLATFORM_API_KEY\`, \`RCW_ROOM_KEY\`, \`SIMPLESIM_METRICS_TOKEN\` and
  \`SIMPLESIM_ROOM_KEY\`.
- \`eval\` starts a platform of its own. It reads what \`npm start\` reads, except \`DATABASE_URL\`, \`PLATFORM_API_KEY\`,
  \`SIMPLESIM_DATA_DIR\`, \`SIMPLESIM_DIST_DIR\`, \`SIMPLESIM_PORT\` and \`SIMPLESIM_SFU_PORT\`.

## All variables

${markdownTable(['variable', 'meaning', 'default', 'read by'], rows)}

## What eval sets for an agent

\`eval\` adds these variables to the environment of the agent's program. It withholds \`DATABASE_URL\`, \`LIVEKIT_API_KEY\`,
\`LIVEKIT_API_SECRET\`, \`LIVEKIT_URL\` and \`RCW_ROOM_KEY\`.

${markdownTable(['variable', 'value'], agentRows)}

An MCP client (\`--agent mcp:COMMAND\`) gets only \`SIMPLESIM_TASK\`, and \`SIMPLESIM_MCP_CONFIG\`: the path of the file that
names the server of its tools.
`;
}
