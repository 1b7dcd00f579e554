import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { createApp } from '../control-service/app.ts';
import { systemClock } from '../control-service/clock.ts';
import { databasePlace, openDatabase } from '../control-service/db/open.ts';
import type { LogEntry } from '../control-service/deps.ts';
import { closeLinks } from '../control-service/operations/closed-links.ts';
import { createHolderAnswers } from '../control-service/operations/holder.ts';
import { endIdleSessions } from '../control-service/operations/idle-sessions.ts';
import { keepLatchedStops } from '../control-service/operations/latched-stops.ts';
import { keepOrdersNew } from '../control-service/operations/owner-orders.ts';
import { pressByLink } from '../control-service/operations/press-by-link.ts';
import { placeToWatch } from '../control-service/operations/watch.ts';
import { createService } from '../control-service/service.ts';
import { createSfuAdmin } from '../control-service/sfu-admin.ts';
import { takeDataFolder } from './data-folder.ts';
import { createFront, readMetricsAccess } from './front.ts';
import { Health } from './health.ts';
import { HTTP_HOST, openHttpServer } from './http-server.ts';
import { readAllowedHosts, refusalOfHost } from './known-hosts.ts';
import { openOperatorSocket } from './operator-socket.ts';
import { readPort } from './ports.ts';
import { readDataDir, readSettings, readSfuAccess } from './service-settings.ts';
import { isSfuUp } from './sfu.ts';

/** The options of the control service alone. */
export interface ServeOptions {
  /** Address to listen at. @default SIMPLESIM_HOST, otherwise 127.0.0.1 */
  host?: string | undefined;
  /** HTTP port; 0 takes any free one. @default SIMPLESIM_PORT, otherwise 8080 */
  port?: string | undefined;
  env: NodeJS.ProcessEnv;
  onLog: (entry: LogEntry) => void;
}

/** A running control service. */
export interface RunningService {
  readonly baseUrl: string;
  /** Stops accepting requests, lets active ones end for a while, then closes the database. */
  stop(): Promise<void>;
}

const DEFAULT_PORT = '8080';
const HEALTH_TIMEOUT_MS = 3_000;
/** A request whose connection was cut may still use the database; it is waited for up to this time. */
const DATABASE_CLOSE_MAX_MS = 5_000;

/**
 * Starts the control service alone, on a foreign SFU and the database of DATABASE_URL or the data folder. It also starts if the
 * SFU is not up yet: `/healthz` reports that, and sessions open when the SFU is up.
 * @throws With a sentence on what to do; nothing keeps running.
 */
export async function serveControlService({ host, port, env, onLog }: ServeOptions): Promise<RunningService> {
  const sfuAccess = readSfuAccess(env);
  const settings = readSettings(env);
  const metricsAccess = readMetricsAccess(env, 'nobody');
  const address = host ?? (env.SIMPLESIM_HOST || HTTP_HOST);
  const portNumber =
    port === undefined ? readPort(env.SIMPLESIM_PORT || DEFAULT_PORT, 'SIMPLESIM_PORT') : readPort(port, '--port');
  const health = new Health();
  const front = createFront(health);
  const allowedHosts = readAllowedHosts(env);
  // A proxy may pass on its own name, so names are only checked if the setting lists some.
  const refusal = (request: IncomingMessage) => (allowedHosts.length === 0 ? null : refusalOfHost(request, allowedHosts));
  const http = await openHttpServer(portNumber, front.app, refusal, {
    host: address,
    onLog,
    portSetting: port === undefined ? 'SIMPLESIM_PORT' : '--port',
    hostSetting: host === undefined ? 'SIMPLESIM_HOST' : '--host',
  });
  try {
    const dataDir = readDataDir(env);
    const place = databasePlace(env, dataDir);
    if (place.kind === 'folder') takeDataFolder(dataDir);
    const database = await openDatabase(place, {
      onTrouble: (message) => onLog({ level: 'warn', event: 'database', message }),
    });
    const parts = {
      db: database.db,
      sfu: createSfuAdmin(sfuAccess),
      clock: systemClock,
      randomBytes,
      log: onLog,
      settings,
    };
    const deps = createService(parts, { processMetrics: true });
    const operatorSocket = place.kind === 'folder' ? await openOperatorSocket(dataDir, deps) : null;
    health.add('database', () => database.state());
    health.add('sfu', () => isSfuUp(sfuAccess.httpUrl, HEALTH_TIMEOUT_MS));
    const stopEnding = endIdleSessions(deps);
    const stopLooking = keepLatchedStops(deps);
    const stopClearing = keepOrdersNew(deps);
    const stopClosing = closeLinks(deps);
    const service = createApp(deps, { metricsAccess });
    front.open({
      service,
      whoIsHolder: createHolderAnswers(deps, sfuAccess),
      placeToWatch: (asked) => placeToWatch(deps, sfuAccess, asked),
      pressByLink: (asked) => pressByLink(deps, sfuAccess, asked),
    });
    health.add('control_service', async () => front.isOpen());
    health.ready();
    const baseUrl = `http://${address.includes(':') ? `[${address}]` : address}:${http.port}`;
    onLog({ level: 'info', event: 'serving', base_url: baseUrl, database: place.kind });
    return {
      baseUrl,
      stop: async () => {
        onLog({ level: 'info', event: 'stopping' });
        await deps.memory.agents.endAll();
        await http.close();
        await operatorSocket?.close();
        await Promise.all([stopEnding(), stopLooking(), stopClearing(), stopClosing()]);
        await within(database.close(), DATABASE_CLOSE_MAX_MS);
        onLog({ level: 'info', event: 'stopped' });
      },
    };
  } catch (error) {
    await http.close();
    throw error;
  }
}

function within(closing: Promise<void>, maxMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, maxMs);
    closing.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
