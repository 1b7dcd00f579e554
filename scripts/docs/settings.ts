/**
 * Every environment variable that the product reads. `tests/docs/settings.test.ts` compares the names and the readers with the
 * code.
 */
import { type AccountLimits, DEFAULT_SETTINGS } from '../../src/control-service/deps.ts';
import type { Reader, Setting } from './setting-kinds.ts';

const IDLE_HOURS = (DEFAULT_SETTINGS.sessionIdleMs ?? 0) / 3_600_000;
const SERVICE_SETTINGS = 'src/launch/service-settings.ts';
const CLIENT_SETTINGS = ['src/client/internal/settings.ts', 'clients/python/src/platform_robot_sdk/_settings.py'];
const COMPOSE = 'deploy/compose.yaml';
const PLATFORM: readonly Reader[] = ['start', 'serve'];
const DATA: readonly Reader[] = ['start', 'serve', 'service', 'worker', 'headless', 'link', 'class', 'mcp'];

const accountLimit = (name: string, limit: keyof AccountLimits, meaning: string): Setting => ({
  name: `SIMPLESIM_ACCOUNT_${name}`,
  meaning: `${meaning}, 1 to 1,000,000`,
  default: DEFAULT_SETTINGS.accountLimits[limit].toLocaleString('en-GB'),
  readers: PLATFORM,
  files: [SERVICE_SETTINGS],
});

const sfu = (name: string, meaning: string): Setting => ({
  name,
  meaning,
  default: '`npm start`: its own SFU; `npm run worker`: the SFU of `npm start`; `serve`: required',
  readers: ['start', 'serve', 'worker'],
  files: ['src/launch/sfu.ts', SERVICE_SETTINGS],
});

const ofProgram = (name: string, meaning: string, standard: string): Setting => ({
  name,
  meaning,
  default: standard,
  readers: ['libraries'],
  files: CLIENT_SETTINGS,
});

const ofTests = (name: string, meaning: string, file: string): Setting => ({
  name,
  meaning,
  default: 'one that is found or downloaded',
  readers: ['tests'],
  files: [file],
});

/** All variables. The page sorts them by name. */
export const SETTINGS: readonly Setting[] = [
  {
    name: 'DATABASE_URL',
    meaning: 'The PostgreSQL server: `postgresql://user:password@host:5432/database`',
    default: 'an embedded database in the data folder',
    readers: ['start', 'serve', 'service'],
    files: ['src/control-service/db/open.ts'],
  },
  sfu('LIVEKIT_API_KEY', 'The key of the LiveKit server'),
  sfu('LIVEKIT_API_SECRET', 'The secret of that key'),
  sfu('LIVEKIT_URL', 'The address of the LiveKit server, as the platform reaches it: `ws://…` or `wss://…`'),
  {
    name: 'LIVEKIT_PUBLIC_URL',
    meaning: 'The address of the LiveKit server, as participants reach it',
    default: '`LIVEKIT_URL`',
    readers: ['serve'],
    files: [SERVICE_SETTINGS],
  },
  {
    name: 'NODE_IP',
    meaning: 'The IP address at which clients reach the LiveKit nodes',
    default: 'required',
    readers: ['compose'],
    files: [COMPOSE],
  },
  {
    name: 'PLATFORM_API_KEY',
    meaning: '`npm start`: the only valid API key of its account. Client libraries: the API key',
    default: '`npm start`: a key that it makes and keeps; client libraries: required, or passed in the code',
    readers: ['start', 'libraries'],
    files: ['src/launch/platform.ts', ...CLIENT_SETTINGS],
  },
  {
    name: 'PLATFORM_HOST',
    meaning: 'The DNS name of the page and the control service',
    default: 'required',
    readers: ['compose', 'proxy'],
    files: [COMPOSE, 'deploy/Caddyfile'],
  },
  ofProgram('PLATFORM_RCS_URL', 'The address of the control service, with `/rcs` at the end', '`http://localhost:8080/rcs`'),
  ofProgram('PLATFORM_ROBOT_SDK_DEBUG', '`1` writes the events of the library to the console', 'off'),
  ofProgram('PLATFORM_ROBOT_SDK_MAX_RETRIES', 'The number of retries of a request that failed', '2'),
  ofProgram('PLATFORM_ROBOT_SDK_TIMEOUT', 'The longest wait for an HTTP response, in seconds', '30'),
  ofProgram(
    'PLATFORM_ROBOT_VIEWER_URL',
    'The address of the page, for links',
    'the address that the service reports, then `http://localhost:8080`',
  ),
  {
    name: 'RCW_ROOM_KEY',
    meaning: 'Serve one robot with this room key',
    default: 'the worker waits for sessions that request it',
    readers: ['worker'],
    files: ['src/launch/worker-command.ts'],
  },
  {
    name: 'RCW_RSL_REQUIRED',
    meaning: '`false` accepts unsigned calls, for development only',
    default: '`true`',
    readers: ['worker'],
    files: ['src/launch/worker-args.ts'],
  },
  {
    name: 'SFU_HOST',
    meaning: 'The DNS name of the SFU',
    default: 'required',
    readers: ['compose', 'proxy'],
    files: [COMPOSE, 'deploy/Caddyfile'],
  },
  accountLimit('COMMANDS', 'waitingCommands', 'Commands of one account that wait for robots, per instance'),
  accountLimit('CREATIONS_PER_MINUTE', 'creationsPerMinute', 'Robots that one account may create at once, then per minute'),
  accountLimit('KEYS', 'apiKeys', 'Valid API keys of one account; beyond it, HTTP creates no more'),
  accountLimit('LINKS', 'linksOfSession', 'Links of one session that have not expired'),
  accountLimit('REQUESTS', 'requestsAtOnce', 'Other requests of one account in progress, per instance'),
  accountLimit('ROBOTS', 'robots', 'Robots of one account'),
  accountLimit('SESSIONS', 'openSessions', 'Open sessions of one account'),
  {
    name: 'SIMPLESIM_ALLOWED_HOSTS',
    meaning:
      'Host names under which requests are accepted, beside `localhost` and IP addresses; separated by commas or spaces; `*.example.org` for all subdomains. Other names get 421',
    default: '`npm start`: no other name; `serve`: every name',
    readers: PLATFORM,
    files: ['src/launch/known-hosts.ts'],
  },
  {
    name: 'SIMPLESIM_CHROMIUM',
    meaning: 'The path of the Chrome or Chromium that draws pictures without a page',
    default: 'an installed one',
    readers: ['headless', 'eval', 'tests'],
    files: ['src/headless/pictures/find-browser.ts', 'scripts/test.ts'],
  },
  {
    name: 'SIMPLESIM_DATA_DIR',
    meaning: 'The data folder: database, keys, worlds, `local.json`',
    default: '`.simplesim` in the clone; in the current folder if SimpleSim is installed as a package',
    readers: DATA,
    files: [SERVICE_SETTINGS],
  },
  {
    name: 'SIMPLESIM_DIST_DIR',
    meaning: 'A built page to serve without changes',
    default: '`dist`, which `npm start` builds if it is missing or outdated',
    readers: ['start'],
    files: ['src/launch/platform.ts'],
  },
  {
    name: 'SIMPLESIM_FRAME_ANCESTORS',
    meaning:
      'Sites that may show the page in a frame, beside its own: origins separated by spaces. `npm start` also accepts commas, `self`, `none` and `*`',
    default: 'only the site of the page',
    readers: ['start', 'compose', 'proxy'],
    files: ['src/launch/page-policy.ts', 'deploy/Caddyfile', COMPOSE],
  },
  {
    name: 'SIMPLESIM_HOST',
    meaning:
      'The address at which the control service listens. `npm start` listens at 127.0.0.1 and refuses another value with `--lan`',
    default: '127.0.0.1',
    readers: PLATFORM,
    files: ['src/launch/service-serve.ts', 'src/launch/lan/conflicts.ts'],
  },
  {
    name: 'SIMPLESIM_METRICS_TOKEN',
    meaning: 'The bearer token for `/metrics`, 16 to 512 visible ASCII characters',
    default: '`npm start`: `/metrics` needs no token; `serve`: no `/metrics`',
    readers: PLATFORM,
    files: ['src/launch/front.ts'],
  },
  {
    name: 'SIMPLESIM_PAGE_HAS_PLATFORM',
    meaning: '`1`: the page asks the control service at its own address who is the robot',
    default: 'off',
    readers: ['build'],
    files: ['vite.config.ts'],
  },
  {
    name: 'SIMPLESIM_PORT',
    meaning: 'The HTTP port; 0 for any free port',
    default: '8080',
    readers: PLATFORM,
    files: ['src/launch/platform.ts', 'src/launch/service-serve.ts'],
  },
  ofTests('SIMPLESIM_POSTGRES_BIN', 'The folder of the PostgreSQL programs', 'scripts/ensure-postgres.ts'),
  ofTests('SIMPLESIM_PYTHON', 'The path of the Python interpreter', 'scripts/ensure-python.ts'),
  ofTests('SIMPLESIM_REDIS', 'The path of `redis-server`', 'scripts/ensure-redis.ts'),
  {
    name: 'SIMPLESIM_ROOM_KEY',
    meaning: 'A link or room key of the robot; for `mcp --room`, a link to drive it',
    default: 'the robot of `npm start`',
    readers: ['headless', 'mcp'],
    files: ['src/launch/headless-command.ts', 'src/launch/mcp/room-place.ts'],
  },
  {
    name: 'SIMPLESIM_TASK',
    meaning: 'The instruction that `robot_status` reports',
    default: 'none',
    readers: ['mcp'],
    files: ['src/launch/mcp/serve-room.ts'],
  },
  {
    name: 'SIMPLESIM_SESSION_IDLE_HOURS',
    meaning: 'Hours without use after which a session ends; 0 for never',
    default: String(IDLE_HOURS),
    readers: PLATFORM,
    files: [SERVICE_SETTINGS],
  },
  {
    name: 'SIMPLESIM_SFU_DOWNLOADS',
    meaning: 'A mirror of the releases of LiveKit; empty for no download',
    default: 'the releases on GitHub',
    readers: ['start'],
    files: ['src/launch/sfu-binary.ts'],
  },
  {
    name: 'SIMPLESIM_SFU_PORT',
    meaning: 'The first of the three ports of the SFU; 0 for any free ports',
    default: 'the ports of the last start, then 7880, then any free ports',
    readers: ['start'],
    files: ['src/launch/sfu.ts'],
  },
  {
    name: 'SIMPLESIM_VIEWER_URL',
    meaning: 'The address of the page: links of the client libraries begin with it',
    default: '`npm start`: its own address; `serve`: none',
    readers: PLATFORM,
    files: [SERVICE_SETTINGS],
  },
  {
    name: 'SIMPLESIM_WORKER_NAMES',
    meaning: 'Agents that a session dispatches if the request names none, separated by commas',
    default: 'none; `npm start` dispatches `rcw` for a physical robot',
    readers: [...PLATFORM, 'compose'],
    files: [SERVICE_SETTINGS, COMPOSE],
  },
];

/** The variables that `eval` sets for the program of an agent (`src/launch/eval/room-run.ts`). */
export const AGENT_SETTINGS: Readonly<Record<string, string>> = {
  SIMPLESIM_TASK: 'The words of the task',
  SIMPLESIM_ROOM_KEY: "A room key with which the program joins the robot's room",
  SIMPLESIM_ROBOT_ID: 'The id of the robot',
  SIMPLESIM_LINK: 'A link to watch the robot',
  PLATFORM_API_KEY: 'An API key whose account has this robot only',
  PLATFORM_RCS_URL: 'The address of the control service',
  PLATFORM_ROBOT_VIEWER_URL: 'The address of the page',
};
