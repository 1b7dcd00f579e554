/** docs/reference/operations.md: health, metrics and log lines. */
import { createMetrics } from '../../src/control-service/metrics.ts';
import type { SfuAdmin } from '../../src/control-service/sfu-admin.ts';
import { SfuError } from '../../src/control-service/sfu-error.ts';
import { type RobotEnd, robotEndText } from '../../src/protocol/room/robot-end.ts';
import { type LogEvent, ROBOT_EVENTS, SERVICE_EVENTS } from './log-events.ts';
import { code, markdownTable } from './markdown.ts';

interface Metric {
  name: string;
  help: string;
  kind: string;
  labels: readonly string[];
}

const ENDS: Readonly<Record<RobotEnd, true>> = {
  broken: true,
  cannot_join: true,
  ended: true,
  key_expired: true,
  refused: true,
  removed: true,
  room_gone: true,
  session_deleted: true,
  taken_over: true,
  wrong_robot: true,
};

/** Labels that the client library of Prometheus adds to a histogram. */
const OF_HISTOGRAMS = new Set(['le']);

/** Returns the metrics of a service, after one event of each kind, so that every metric shows its labels. */
async function metricsOfService(): Promise<Metric[]> {
  const metrics = createMetrics({ countOpenSessions: async () => 1, countVoidPins: async () => 0 });
  metrics.requestAnswered({ face: 'public', route: '/v1/robots', method: 'GET', status: 200, durationMs: 1 });
  metrics.claimRefused('wrong_pin');
  const failing = {
    listRooms: async () => {
      throw new SfuError('unreachable', 'A failure, so that its metric has a sample.');
    },
  } as unknown as SfuAdmin;
  await metrics
    .measureSfu(failing)
    .listRooms()
    .catch(() => undefined);
  return readMetrics(await metrics.read());
}

/** Reads Prometheus' text format. */
function readMetrics(text: string): Metric[] {
  return [...text.matchAll(/^# HELP (\S+) (.*)\n# TYPE \S+ (\w+)\n((?:[^#\n].*\n)*)/gm)].map(
    ([, name = '', help = '', kind = '', samples = '']) => {
      const labels = [...samples.matchAll(/[{,](\w+)="/g)].map(([, label = '']) => label);
      return { name, help, kind, labels: [...new Set(labels)].filter((label) => !OF_HISTOGRAMS.has(label)) };
    },
  );
}

const listed = (names: readonly string[]): string => (names.length === 0 ? '–' : names.map(code).join(', '));

const eventTable = (events: readonly LogEvent[]): string =>
  markdownTable(
    ['`event`', 'fields', 'meaning'],
    events.map(({ name, fields, meaning }) => [code(name), listed(fields), meaning]),
  );

/** Returns the text of the page. */
export async function operationsPage(): Promise<string> {
  const metrics = await metricsOfService();
  const ends = Object.keys(ENDS).map((end) => [code(end), robotEndText(end as RobotEnd, 'worker')]);
  return `# Health, metrics and logs

Made by \`npm run docs\` from \`scripts/docs/log-events.ts\` and the declarations in \`src\`; do not edit by hand.

This page lists the health fields, metrics and log lines of a platform. [Deployment](../deploy.md) explains how to use them.

## Health

\`GET /healthz\` needs no API key. It returns \`{"status", "parts"}\` within 3 s, and the service caches the response for 1 s. The status
code is 200 if every part is \`up\`, otherwise 503.

| field | values | meaning |
|---|---|---|
| \`status\` | \`ok\`, \`unavailable\` | whether every part is \`up\` |
| \`parts.database\` | \`up\`, \`read_only\`, \`down\` | \`read_only\`: the database answers and accepts no writes, for example because its disk is full |
| \`parts.sfu\` | \`up\`, \`down\` | whether the SFU answers |
| \`parts.control_service\` | \`up\`, \`down\` | whether the service accepts requests |
| \`parts.viewer\` | \`up\`, \`down\` | whether the page exists; only \`npm start\` |
| \`parts.platform\` | \`starting\` | only while the program starts |

## Metrics

\`GET /metrics\` returns these metrics in the text format of Prometheus. The metrics of the process (\`process_…\`, \`nodejs_…\`) are
those of \`prom-client\`.

${markdownTable(
  ['metric', 'type', 'labels', 'meaning'],
  metrics.map(({ name, help, kind, labels }) => [code(name), kind, listed(labels), help]),
)}

\`face\` is \`public\` or \`library\`. \`route\` is the pattern of the address. \`reason\` of a refused claim is the error code without
\`claim.\`, such as \`wrong_pin\`. \`call\` is the operation on the SFU.

## Log of the control service

\`npm run service -- serve\` writes one JSON object per line to standard output, with \`time\`, \`level\` (\`info\`, \`warn\`, \`error\`), \`event\`
and the fields below. \`npm start\` prints only warnings and errors. No line contains a key, token, PIN, address, header or body.

${eventTable(SERVICE_EVENTS)}

## Log of robots without a page

\`npm run worker\` and \`npm run headless\` write these lines. In a terminal they are text; elsewhere, or with \`--log json\`, they are JSON.
Lines of one robot also have \`robot_id\`.

${eventTable(ROBOT_EVENTS)}

### Why a robot has ended

\`why\` of \`robot_over\` is one of these. The texts are those of the worker.

${markdownTable(['`why`', 'message'], ends)}
`;
}
