import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { join, resolve } from 'node:path';
import type { Context } from 'hono';
import { createKey, grantKeptKey, grantOnlyKey } from '../control-service/accounts.ts';
import { createApp } from '../control-service/app.ts';
import { systemClock } from '../control-service/clock.ts';
import { databasePlace, openDatabase } from '../control-service/db/open.ts';
import type { LogEntry } from '../control-service/deps.ts';
import { closeLinks } from '../control-service/operations/closed-links.ts';
import { endAccount } from '../control-service/operations/end-account.ts';
import { createHolderAnswers } from '../control-service/operations/holder.ts';
import { endIdleSessions } from '../control-service/operations/idle-sessions.ts';
import { keepLatchedStops } from '../control-service/operations/latched-stops.ts';
import { keepOrdersNew } from '../control-service/operations/owner-orders.ts';
import { pressByLink } from '../control-service/operations/press-by-link.ts';
import { reopenRooms } from '../control-service/operations/sessions.ts';
import { placeToWatch } from '../control-service/operations/watch.ts';
import { createService } from '../control-service/service.ts';
import { ServiceError } from '../control-service/service-error.ts';
import { createSfuAdmin } from '../control-service/sfu-admin.ts';
import { fullDiskText, thrownText } from '../control-service/thrown.ts';
import type { LinkPressAsked } from '../protocol/service/link-press.ts';
import { ROBOTS_PATH } from '../protocol/service/robots-page.ts';
import type { WatchAsked } from '../protocol/service/watch-exchange.ts';
import { RCW_PRODUCT_NAME } from '../protocol/wire/identity.ts';
import { ROOM_KEY_DEFAULT_TTL_S } from '../protocol/wire/limits.ts';
import { keyToComeBack, type OwnRobot } from './come-back.ts';
import { takeDataFolder } from './data-folder.ts';
import { type DevServer, startDevServer } from './dev-server.ts';
import { createFront, readMetricsAccess, SERVICE_PATH } from './front.ts';
import { Health } from './health.ts';
import { HTTP_HOST, openHttpServer } from './http-server.ts';
import { readAllowedHosts, refusalOfHost } from './known-hosts.ts';
import { refuseLanConflicts } from './lan/conflicts.ts';
import { lanPlace, openLanDoor } from './lan/door.ts';
import { networkService } from './lan/network-service.ts';
import { earlierSfu, type LocalFile, readLocalFile, writeLocalFile } from './local-file.ts';
import { linkForPhone, linkToRobot, openRobot } from './local-robot.ts';
import { redirectToOneName } from './one-host-name.ts';
import { OpenCodes } from './open-codes.ts';
import { openOperatorSocket } from './operator-socket.ts';
import type { OnProgress } from './output.ts';
import { readFrameAncestors } from './page-policy.ts';
import { readPort } from './ports.ts';
import { readDataDir, readSettings } from './service-settings.ts';
import { isSfuUp, readSfuSettings, startSfu } from './sfu.ts';
import { staticFile } from './static-files.ts';
import { DIST_DIR, ensureViewerBuilt } from './viewer-build.ts';

/** The options of a local platform. */
export interface PlatformOptions {
  /** HTTP port; 0 takes any free one. @default SIMPLESIM_PORT, otherwise 8080 */
  port?: number;
  /** The folder of the database and `local.json`. @default SIMPLESIM_DATA_DIR, otherwise `.simplesim` in the project */
  dataDir?: string;
  /** A built page to serve unchanged. @default SIMPLESIM_DIST_DIR, otherwise the project's `dist`, built if missing or stale */
  distDir?: string;
  /**
   * Address of this machine at which the network reaches page, room and API, over https; without it, only this machine reaches
   * them.
   */
  lan?: string | undefined;
  /**
   * Whether the SFU gets new keys, which invalidate every link and token issued so far.
   * @default false: it keeps those of the data folder
   */
  newSfuKeys?: boolean | undefined;
  /** Whether Vite's dev server serves the page, with hot reload. @default false */
  dev?: boolean;
  /**
   * How often `local.json` gets a new link.
   * @default half of a link's life, so that it is valid for at least two hours whenever it is read
   */
  renewLinkEveryMs?: number;
  /** The source of settings. @default process.env */
  env?: NodeJS.ProcessEnv;
  /** Receives sentences about the progress of the start. */
  onProgress?: OnProgress;
  /** Receives the events while it runs. No entry contains a secret. */
  onLog?: (entry: LogEntry) => void;
}

/** A running local platform. */
export interface Platform {
  readonly viewerUrl: string;
  readonly baseUrl: string;
  readonly rcsUrl: string;
  readonly livekitUrl: string;
  /** A secret. */
  readonly apiKey: string;
  readonly robotId: string;
  /** A secret: its holder can be the robot. It is renewed at intervals; the previous one stays valid until it expires. */
  readonly roomKeyUrl: string;
  /** Creates another account. Its keys reach no robot of this account, and vice versa. */
  openAccount(name: string): Promise<PlatformAccount>;
  /** A new link to the page of all robots. A secret: the person who opens it first, within ten minutes, gets the API key. */
  makeRobotsUrl(): string;
  /** The phones' access in the network; null if there is none. */
  readonly lan: PlatformLan | null;
  /** Path of `local.json`. */
  readonly localFile: string;
  /** Process id of the SFU; null for a foreign one. */
  readonly sfuPid: number | null;
  /** Ends everything in order. */
  stop(): Promise<void>;
}

/** An account in addition to that of the platform's user. */
export interface PlatformAccount {
  /** A secret. */
  readonly apiKey: string;
  /** Revokes all its keys, and deletes its robots. */
  close(): Promise<void>;
}

/** A local platform as a phone in the network reaches it. */
export interface PlatformLan {
  readonly pageUrl: string;
  /** A secret: its holder can be the robot. */
  readonly roomKeyUrl: string;
  /** SHA-256 of the certificate that the phone receives, as browsers write it. */
  readonly fingerprint: string;
  /** That certificate, in PEM: with it, a program recognises this machine. */
  readonly issuerPem: string;
  /** Ports that a firewall must allow. */
  readonly tcpPorts: readonly number[];
  readonly udpPorts: readonly number[];
}

const DEFAULT_PORT = 8080;
/** The account of the robots of the platform's user. */
const ACCOUNT = 'local platform';
const HEALTH_TIMEOUT_MS = 3_000;
const RENEW_LINK_EVERY_MS = (ROOM_KEY_DEFAULT_TTL_S * 1000) / 2;

/**
 * Starts the local platform: one HTTP port with viewer, control service and health, an SFU, and a robot with an open session.
 * Writes `local.json` when all parts are up.
 * @throws With a sentence on what to do (a busy port by its number, a data folder in use, what to install); nothing keeps
 * running.
 */
export async function startPlatform(options: PlatformOptions = {}): Promise<Platform> {
  const closers: (() => Promise<void>)[] = [];
  const stop = async () => {
    // In reverse order of opening.
    for (const close of closers.splice(0).reverse()) await close();
  };
  try {
    return await bringUp(options, closers, stop);
  } catch (error) {
    await stop();
    throw error;
  }
}

async function bringUp(options: PlatformOptions, closers: (() => Promise<void>)[], stop: () => Promise<void>): Promise<Platform> {
  const env = options.env ?? process.env;
  const onProgress = options.onProgress ?? (() => {});
  const onLog = options.onLog ?? (() => {});
  const dataDir = resolve(options.dataDir ?? readDataDir(env));
  takeDataFolder(dataDir);
  const before = readLocalFile(dataDir);
  const fixedKey = readApiKey(env);
  if (options.lan !== undefined) refuseLanConflicts(options.lan, options.dev ?? false, env);

  // A physical robot of a platform on this machine is "npm run worker", by its default name.
  const settings = { ...readSettings(env), physicalWorkerNames: [RCW_PRODUCT_NAME] };
  // Checked now, so that an invalid value fails before a minute of work.
  readSfuSettings(env);
  const framedBy = readFrameAncestors(env);
  const allowedHosts = readAllowedHosts(env);
  const health = new Health();
  const front = createFront(health);
  const metricsAccess = readMetricsAccess(env, 'anybody');
  let dev: DevServer | null = null;
  const port = options.port ?? (env.SIMPLESIM_PORT ? readPort(env.SIMPLESIM_PORT, 'SIMPLESIM_PORT') : DEFAULT_PORT);
  // First, so that a busy port is reported before anything is built.
  const besideService = (request: IncomingMessage) =>
    refusalOfHost(request, allowedHosts) ??
    redirectToOneName(request) ??
    (dev && !SERVICE_PATH.test(request.url ?? '') ? dev.handlerFor(request) : null);
  const http = await openHttpServer(port, front.app, besideService, { onLog });
  closers.push(() => http.close());
  const baseUrl = `http://${HTTP_HOST}:${http.port}`;
  const { lan: address } = options;
  const door = address === undefined ? null : await openLanDoor({ address, port, dataDir, health, onLog });
  closers.push(async () => door?.close());

  onProgress('Opening the database');
  const place = databasePlace(env, dataDir);
  const database = await openDatabase(place, {
    onTrouble: (message) => onLog({ level: 'warn', event: 'database', message }),
  });
  closers.push(() => database.close());
  health.add('database', () => database.state());

  if (options.dev) {
    onProgress('Starting the dev server of the viewer');
    dev = await startDevServer(http.server, { dataDir, framedBy, allowedHosts });
    closers.push(dev.close);
  }
  const givenDistDir = options.distDir ?? env.SIMPLESIM_DIST_DIR;
  if (!dev && givenDistDir === undefined) await ensureViewerBuilt(onProgress);
  const distDir = resolve(givenDistDir ?? DIST_DIR);

  onProgress('Starting the SFU');
  let reopen = async (): Promise<void> => {};
  const sfu = await startSfu({
    env,
    // A token opens the room of a session, rather than a room of its own.
    roomsOnJoin: false,
    lanAddress: options.lan,
    succeeds: { ...earlierSfu(before), ...(options.newSfuKeys ? { keys: null } : {}) },
    onRestart: () => reopen(),
    onProgress,
    onLog: (message) => onLog({ level: 'warn', event: 'sfu', message }),
  });
  closers.push(() => sfu.stop());
  health.add('sfu', () => isSfuUp(sfu.httpUrl, HEALTH_TIMEOUT_MS));

  const sfuKey = { apiKey: sfu.apiKey, apiSecret: sfu.apiSecret };
  const parts = {
    db: database.db,
    sfu: createSfuAdmin({ participantUrl: sfu.url, httpUrl: sfu.httpUrl, ...sfuKey }),
    clock: systemClock,
    randomBytes,
    log: onLog,
    settings: { ...settings, viewerUrl: settings.viewerUrl ?? baseUrl },
  };
  const deps = createService(parts, { processMetrics: true });
  const operatorSocket = place.kind === 'folder' ? await openOperatorSocket(dataDir, deps) : null;
  closers.push(async () => operatorSocket?.close());
  reopen = async () => void (await reopenRooms(deps));
  // Sessions outlive the platform, but the SFU's rooms do not, and a headless robot waits for its room. Done before the door
  // opens, because a request for the same session would dispatch its agents a second time.
  await reopen();
  closers.push(endIdleSessions(deps));
  closers.push(keepLatchedStops(deps));
  closers.push(keepOrdersNew(deps));
  closers.push(closeLinks(deps));
  const keyName = `npm start in ${dataDir}`;
  const { caller, key: apiKey } = fixedKey
    ? { caller: await grantOnlyKey(deps, ACCOUNT, fixedKey, keyName), key: fixedKey }
    : await grantKeptKey(deps, ACCOUNT, before.api_key, keyName);
  const service = createApp(deps, { metricsAccess });
  let own: OwnRobot | null = null;
  const page = (c: Context) => staticFile(c, distDir, framedBy);
  const lan = door && lanPlace(door, sfu.url);
  const holderAnswers = createHolderAnswers(deps, sfuKey);
  const watch = (asked: WatchAsked) => placeToWatch(deps, sfuKey, asked);
  const press = (asked: LinkPressAsked) => pressByLink(deps, sfuKey, asked);
  const openCodes = new OpenCodes(deps.clock, randomBytes);
  front.open({
    service,
    keyToComeBack: async (token) => own && keyToComeBack(own, token),
    whoIsHolder: holderAnswers,
    placeToWatch: watch,
    pressByLink: press,
    keyForCode: (code) => (openCodes.use(code) ? apiKey : null),
    lan: { lan },
    page,
  });
  door?.open({
    service: networkService(deps, { roomUrl: door.roomUrl, viewerUrl: settings.viewerUrl ?? door.pageUrl }, caller),
    sfuUrl: sfu.httpUrl,
    keyToComeBack: async (token) => own && keyToComeBack(own, token, door.roomUrl),
    whoIsHolder: holderAnswers,
    placeToWatch: watch,
    pressByLink: press,
    page,
  });
  // Running requests end before their dependencies are closed.
  closers.push(async () => void (await Promise.all([http.close(), door?.close()])));
  closers.push(() => deps.memory.agents.endAll());
  health.add('control_service', async () => front.isOpen());
  health.add('viewer', async () => dev !== null || existsSync(join(distDir, 'index.html')));

  const robotId = await openRobot(deps, caller, before.robot_id ?? null);
  own = { deps, caller, robotId, sfuKey };
  const local: LocalFile = {
    viewer_url: baseUrl,
    base_url: baseUrl,
    rcs_url: `${baseUrl}/rcs`,
    livekit_url: sfu.url,
    // Keys of a foreign SFU stay in the environment.
    livekit_api_key: sfu.pid === null ? '' : sfu.apiKey,
    livekit_api_secret: sfu.pid === null ? '' : sfu.apiSecret,
    api_key: apiKey,
    robot_id: robotId,
    room_key_url: await linkToRobot(deps, caller, robotId, baseUrl),
    ...(door ? { lan_url: door.pageUrl, lan_certificate: door.issuerPem } : {}),
  };
  const forPhones: PlatformLan | null = door && {
    pageUrl: door.pageUrl,
    roomKeyUrl: await linkForPhone(deps, caller, robotId, door.pageUrl),
    fingerprint: door.fingerprint,
    issuerPem: door.issuerPem,
    tcpPorts: [door.port, ...(sfu.mediaPorts ? [sfu.mediaPorts.tcp] : [])],
    udpPorts: sfu.mediaPorts ? [sfu.mediaPorts.udp] : [],
  };
  const localFile = writeLocalFile(dataDir, local);
  const renewing = setInterval(async () => {
    try {
      local.room_key_url = await linkToRobot(deps, caller, robotId, baseUrl);
      writeLocalFile(dataDir, local);
    } catch (error) {
      // Its user may have deleted the session, or the robot; "npm run link" opens it again.
      if (error instanceof ServiceError) onLog({ level: 'info', event: 'link_not_renewed', code: error.code });
      else
        onLog({
          level: 'warn',
          event: 'link_not_renewed',
          message: `The file ${dataDir}/local.json is not brought up to date. ${fullDiskText(error) ?? thrownText(error)}`,
        });
    }
  }, options.renewLinkEveryMs ?? RENEW_LINK_EVERY_MS).unref();
  closers.push(async () => clearInterval(renewing));
  health.ready();
  return {
    viewerUrl: local.viewer_url,
    baseUrl,
    rcsUrl: local.rcs_url,
    livekitUrl: sfu.url,
    apiKey,
    robotId,
    get roomKeyUrl() {
      return local.room_key_url;
    },
    async openAccount(name) {
      const { key } = await createKey(deps, { account: name, name, expiresAt: null });
      return { apiKey: key, close: () => endAccount(deps, name) };
    },
    makeRobotsUrl: () => `${baseUrl}${ROBOTS_PATH}#open=${openCodes.make()}`,
    lan: forPhones,
    localFile,
    get sfuPid() {
      return sfu.pid;
    },
    stop,
  };
}

/** The key that the settings define, if any. */
function readApiKey(env: NodeJS.ProcessEnv): string | null {
  const fixed = env.PLATFORM_API_KEY;
  if (fixed === undefined || fixed === '') return null;
  if (!/^[\x21-\x7e]{16,512}$/.test(fixed)) {
    throw new Error(
      'PLATFORM_API_KEY must be 16 to 512 visible ASCII characters without spaces. Change it, or unset it to have one made.',
    );
  }
  return fixed;
}
