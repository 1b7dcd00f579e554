import { OPERATION_LIMIT_MS } from '../../src/control-service/app.ts';
import { type AccountLimits, DEFAULT_SETTINGS } from '../../src/control-service/deps.ts';
import { JSON_DEPTH_MAX } from '../../src/control-service/json-problem.ts';
import { BODY_MAX_BYTES } from '../../src/control-service/request-reading.ts';
import { DEFAULT_LIMITS } from '../../src/launch/http-server.ts';
import { ACCOUNT_SETTINGS } from '../../src/launch/service-settings.ts';
import { OPERATOR_LINKS_MAX } from '../../src/protocol/service/closed-links.ts';
import type { AccountLimit } from '../../src/protocol/service/service-errors.ts';
import { code, markdownTable } from './markdown.ts';

/** Lists, by the limit of an account that has a setting, its `details.limit` and what it counts. */
const ACCOUNT_ROWS: Readonly<Record<keyof AccountLimits, readonly [AccountLimit, string]>> = {
  robots: ['robots', 'robots, claimed ones included'],
  openSessions: ['open_sessions', 'open sessions'],
  linksOfSession: ['links_of_session', 'links of one session that have not reached their end, revoked ones included'],
  apiKeys: ['api_keys', 'valid API keys'],
  creationsPerMinute: ['creations_per_minute', 'new robots at once, and then per minute'],
  waitingCommands: [
    'waiting_commands',
    'commands that wait for robots, per instance. `waiting_stops` has the same number for stops',
  ],
  requestsAtOnce: ['requests_at_once', 'other simultaneous requests, per instance'],
};

/** Returns the tables of the limits of a request and of an account, with their default values. */
export function httpLimits(): string {
  const { headerMaxBytes, headersTimeoutMs, requestTimeoutMs, connectionsMax, keepAliveTimeoutMs } = DEFAULT_LIMITS;
  const account = (Object.keys(ACCOUNT_ROWS) as (keyof AccountLimits)[]).map((limit) => {
    const [name, counts] = ACCOUNT_ROWS[limit];
    return [code(name), counts, DEFAULT_SETTINGS.accountLimits[limit].toLocaleString('en'), code(ACCOUNT_SETTINGS[limit])];
  });
  return `| limit of a request | value | above it |
|---|---|---|
| body | ${BODY_MAX_BYTES / 1024} KiB, nested ${JSON_DEPTH_MAX} deep | 413, 400 |
| request line and headers | ${headerMaxBytes / 1024} KiB | 431 |
| time for the headers | ${headersTimeoutMs / 1_000} s | 408 |
| time for the whole request | ${requestTimeoutMs / 1_000} s | 408 |
| time for an operation other than a command | ${OPERATION_LIMIT_MS / 1_000} s | 504 \`service.timeout\` |
| connections | ${connectionsMax.toLocaleString('en')} | closed at once |
| connection without a request | ${keepAliveTimeoutMs / 1_000} s | closed |

Above a limit of the account, an operation returns 429 \`account.limit_reached\` with \`details.limit\`, \`details.max\` and \`Retry-After\`. The
operator of the service may change these values:

${markdownTable(
  ['`details.limit`', 'counts', 'default', 'setting'],
  [
    ...account,
    ['`operator_links_of_session`', 'links of one session with `access: "drive"`, likewise', String(OPERATOR_LINKS_MAX), 'fixed'],
  ],
)}`;
}
