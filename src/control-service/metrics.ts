import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { type SfuAdmin, SfuError } from './sfu-admin.ts';

/** One answered request, as the metrics count it. */
export interface RequestFigures {
  face: string;
  /** The route pattern, never the address: ids would create one series each. */
  route: string;
  method: string;
  status: number;
  durationMs: number;
}

/** Metrics of one service, in Prometheus' text format. */
export interface Metrics {
  readonly contentType: string;
  read(): Promise<string>;
  requestAnswered(figures: RequestFigures): void;
  claimRefused(reason: string): void;
  /** Returns the SFU with every call counted and timed. */
  measureSfu(sfu: SfuAdmin): SfuAdmin;
}

const REQUEST_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 120];
const SFU_SECONDS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];
/** Node accepts some thirty methods, and callers may send any of them. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PATCH', 'DELETE', 'OPTIONS', 'PUT']);

export interface MetricsOptions {
  /** The number of open sessions; queried when the metrics are read. */
  countOpenSessions: () => Promise<number>;
  /** Returns how many robots have no valid PIN; queried when the metrics are read. */
  countVoidPins: () => Promise<number>;
  /** Whether memory, processor time and other metrics of this process are included; at most once in a process. @default false */
  process?: boolean;
}

/** Creates metrics with their own registry. */
export function createMetrics({ countOpenSessions, countVoidPins, process = false }: MetricsOptions): Metrics {
  const register = new Registry();
  const registers = [register];
  if (process) collectDefaultMetrics({ register });
  const requests = new Counter({
    name: 'rcs_http_requests_total',
    help: 'Answered requests',
    labelNames: ['face', 'route', 'method', 'status'],
    registers,
  });
  const requestSeconds = new Histogram({
    name: 'rcs_http_request_duration_seconds',
    help: 'Time from the headers of a request to its answer',
    labelNames: ['face', 'route', 'method'],
    buckets: REQUEST_SECONDS,
    registers,
  });
  const refusedClaims = new Counter({
    name: 'rcs_claims_refused_total',
    help: 'Claims that were refused',
    labelNames: ['reason'],
    registers,
  });
  const sfuSeconds = new Histogram({
    name: 'rcs_sfu_call_duration_seconds',
    help: 'Time of a call to the SFU, failed or not',
    labelNames: ['call'],
    buckets: SFU_SECONDS,
    registers,
  });
  const sfuFailures = new Counter({
    name: 'rcs_sfu_call_failures_total',
    help: 'Calls to the SFU that failed',
    labelNames: ['call', 'reason'],
    registers,
  });
  const gauge = (name: string, help: string, ask: () => Promise<number>) =>
    new Gauge({
      name,
      help: `${help}, of all instances on this database; absent while the database does not answer`,
      registers,
      async collect() {
        const count = await ask().catch(() => null);
        if (count === null) this.remove();
        else this.set(count);
      },
    });
  gauge('rcs_open_sessions', 'Sessions that are open', countOpenSessions);
  gauge('rcs_robots_without_pin', 'Robots that cannot be claimed until they have a new PIN', countVoidPins);

  const timeCall = async <T>(call: keyof SfuAdmin, run: () => Promise<T>): Promise<T> => {
    const end = sfuSeconds.startTimer({ call });
    try {
      return await run();
    } catch (error) {
      sfuFailures.inc({ call, reason: error instanceof SfuError ? error.reason : 'other' });
      throw error;
    } finally {
      end();
    }
  };
  return {
    contentType: register.contentType,
    read: () => register.metrics(),
    requestAnswered: ({ face, route, method: given, status, durationMs }) => {
      const method = METHODS.has(given) ? given : 'other';
      requests.inc({ face, route, method, status });
      requestSeconds.observe({ face, route, method }, durationMs / 1_000);
    },
    claimRefused: (reason) => refusedClaims.inc({ reason }),
    measureSfu: (sfu) => ({
      get participantUrl() {
        return sfu.participantUrl;
      },
      get control() {
        return sfu.control;
      },
      // Tokens are signed here, without a call.
      signToken: (grant) => sfu.signToken(grant),
      ensureRoom: (...args) => timeCall('ensureRoom', () => sfu.ensureRoom(...args)),
      changeMetadata: (...args) => timeCall('changeMetadata', () => sfu.changeMetadata(...args)),
      listRooms: () => timeCall('listRooms', () => sfu.listRooms()),
      deleteRoom: (...args) => timeCall('deleteRoom', () => sfu.deleteRoom(...args)),
      listParticipants: (...args) => timeCall('listParticipants', () => sfu.listParticipants(...args)),
      removeParticipant: (...args) => timeCall('removeParticipant', () => sfu.removeParticipant(...args)),
      holderOf: (...args) => timeCall('holderOf', () => sfu.holderOf(...args)),
      setAttributes: (...args) => timeCall('setAttributes', () => sfu.setAttributes(...args)),
      hasPeople: (...args) => timeCall('hasPeople', () => sfu.hasPeople(...args)),
      announceWatcher: (...args) => timeCall('announceWatcher', () => sfu.announceWatcher(...args)),
      performRpc: (...args) => timeCall('performRpc', () => sfu.performRpc(...args)),
    }),
  };
}
