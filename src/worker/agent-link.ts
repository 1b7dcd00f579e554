import {
  AvailabilityResponse,
  type Job,
  JobStatus,
  JobType,
  ParticipantPermission,
  RegisterWorkerRequest,
  ServerMessage,
  UpdateJobStatus,
  UpdateWorkerStatus,
  WorkerMessage,
  WorkerPing,
  WorkerStatus,
} from '@livekit/protocol';
import { rejoinWaitMs } from '../protocol/room/rejoin-wait.ts';
import type { Log } from './log.ts';
import { pause } from './robot/wait.ts';
import { agentAttributes, createSfuClient, httpUrlOf, type SfuAccess, WORKER_PERMISSION } from './sfu.ts';

/**
 * The answer to a job that the SFU offers.
 * - `take`: join as this identity
 * - `pass`: another worker of this name may take the job
 * - `settle`: no worker must join; the job counts as done
 */
export type Answer = { kind: 'take'; identity: string; name: string } | { kind: 'pass' } | { kind: 'settle' };

/** A job that was assigned. */
export interface Assignment {
  job: Job;
  /** The token with which the agent joins. A secret. */
  token: string;
  /** Address of the room's SFU, if different. */
  url: string | null;
}

export interface AgentLinkDeps {
  agentName: string;
  version: string;
  /** Read again before each registration, because a restarted local platform has other keys. Null while no SFU is known. */
  access(): SfuAccess | null;
  answer(job: Job): Promise<Answer>;
  onAssigned(assignment: Assignment): void;
  /** The SFU withdraws a job. */
  onTerminated(jobId: string): void;
  onRegistered(access: SfuAccess): void;
  /** The connection is lost after it was registered. */
  onLost(): void;
  /** The SFU rejects the keys. @returns whether to continue trying */
  onRefused(host: string): boolean;
  /** The share of the worker's capacity that is in use, 0…1; at 1 no more jobs are offered. */
  load(): number;
  log: Log;
}

/** A worker that is registered with the SFU as an agent, or is trying to register. */
export interface AgentLink {
  /** Settles when it has ended: after `close`, or when the keys are finally rejected. */
  readonly over: Promise<void>;
  reportJob(jobId: string, status: 'running' | 'success' | 'failed'): void;
  reportLoad(jobCount: number): void;
  close(): void;
}

const REGISTER_MAX_MS = 10_000;
const PING_EVERY_MS = 10_000;
/** Without an answer for this long the connection counts as dead, whatever TCP reports. */
const SILENCE_MAX_MS = 25_000;
const STATUS = { running: JobStatus.JS_RUNNING, success: JobStatus.JS_SUCCESS, failed: JobStatus.JS_FAILED } as const;
type Said = WorkerMessage['message'];

/** Registers over LiveKit's agent protocol (protobuf messages over a WebSocket at `/agent`), and retries with back-off. */
export function openAgentLink(deps: AgentLinkDeps): AgentLink {
  const closed = new AbortController();
  let socket: WebSocket | null = null;
  let registered = false;

  async function live(): Promise<void> {
    let failures = 0;
    let reportedWaiting = false;
    while (!closed.signal.aborted) {
      const access = deps.access();
      const outcome = access === null ? 'absent' : await connect(access);
      if (closed.signal.aborted) return;
      if (outcome === 'lost') {
        failures = 0;
        reportedWaiting = false;
        deps.onLost();
      }
      if (outcome === 'refused' && access !== null && !deps.onRefused(new URL(access.url).host)) return;
      failures += 1;
      if (!reportedWaiting) deps.log(waitingFor(access));
      reportedWaiting = true;
      await pause(rejoinWaitMs(failures, Math.random()), closed.signal);
    }
  }

  /** One connection, from the first attempt to its end. */
  async function connect(access: SfuAccess): Promise<'refused' | 'unreachable' | 'lost'> {
    const client = createSfuClient(access);
    // A WebSocket does not report why it was not opened.
    if (await client.refusesKeys()) return 'refused';
    const headers = { Authorization: `Bearer ${await client.agentToken()}` };
    if (closed.signal.aborted) return 'unreachable';
    const mine = new WebSocket(`${access.url}/agent`, { headers });
    mine.binaryType = 'arraybuffer';
    socket = mine;
    let heardMs = performance.now();
    let end = (): void => {};
    const over = new Promise<void>((resolve) => {
      end = resolve;
      mine.addEventListener('close', () => resolve());
      mine.addEventListener('error', () => resolve());
    });
    // An SFU that does not respond does not answer a close either.
    const drop = (): void => {
      mine.close();
      end();
    };
    closed.signal.addEventListener('abort', drop, { once: true });
    const tooLate = setTimeout(drop, REGISTER_MAX_MS);
    const pinging = setInterval(() => {
      if (performance.now() - heardMs > SILENCE_MAX_MS) drop();
      else if (registered) say({ case: 'ping', value: new WorkerPing({ timestamp: BigInt(Date.now()) }) });
    }, PING_EVERY_MS);
    mine.addEventListener('open', () => say(registration()));
    mine.addEventListener('message', ({ data }) => {
      if (socket !== mine) return;
      heardMs = performance.now();
      const message = decode(data);
      if (message?.message.case === 'register') {
        clearTimeout(tooLate);
        registered = true;
        deps.log({ level: 'info', event: 'registered', name: deps.agentName, sfu: new URL(access.url).host });
        deps.onRegistered(access);
      } else if (message) hear(message);
    });
    await over;
    clearTimeout(tooLate);
    clearInterval(pinging);
    closed.signal.removeEventListener('abort', drop);
    const wasRegistered = registered;
    registered = false;
    socket = null;
    return wasRegistered ? 'lost' : 'unreachable';
  }

  function hear({ message }: ServerMessage): void {
    if (message.case === 'availability') {
      const { job } = message.value;
      if (job) void offer(job);
    } else if (message.case === 'assignment') {
      const { job, token, url } = message.value;
      if (job) deps.onAssigned({ job, token, url: url || null });
    } else if (message.case === 'termination') deps.onTerminated(message.value.jobId);
  }

  async function offer(job: Job): Promise<void> {
    const answer = await deps.answer(job).catch((): Answer => ({ kind: 'pass' }));
    const taken = answer.kind === 'take';
    say({
      case: 'availability',
      value: new AvailabilityResponse({
        jobId: job.id,
        available: taken,
        terminate: answer.kind === 'settle',
        ...(taken
          ? {
              participantIdentity: answer.identity,
              participantName: answer.name,
              participantAttributes: agentAttributes(deps.agentName),
            }
          : {}),
      }),
    });
  }

  const registration = (): Said => ({
    case: 'register',
    value: new RegisterWorkerRequest({
      type: JobType.JT_ROOM,
      agentName: deps.agentName,
      version: deps.version,
      pingInterval: PING_EVERY_MS / 1000,
      allowedPermissions: new ParticipantPermission(WORKER_PERMISSION),
    }),
  });

  function say(message: Said): void {
    if (socket?.readyState !== WebSocket.OPEN) return;
    socket.send(new WorkerMessage({ message }).toBinary());
  }

  return {
    over: live(),
    reportJob: (jobId, status) => say({ case: 'updateJob', value: new UpdateJobStatus({ jobId, status: STATUS[status] }) }),
    reportLoad(jobCount) {
      const load = deps.load();
      const status = load < 1 ? WorkerStatus.WS_AVAILABLE : WorkerStatus.WS_FULL;
      if (registered) say({ case: 'updateWorker', value: new UpdateWorkerStatus({ status, load, jobCount }) });
    },
    close() {
      closed.abort();
      socket?.close();
    },
  };
}

/** Decodes a message of the protocol; ignores other data. */
function decode(data: unknown): ServerMessage | null {
  try {
    return data instanceof ArrayBuffer ? ServerMessage.fromBinary(new Uint8Array(data)) : null;
  } catch {
    return null;
  }
}

const waitingFor = (access: SfuAccess | null): Parameters<Log>[0] =>
  access === null
    ? { level: 'warn', event: 'no_platform', message: 'No platform runs here yet. Start one in another terminal: npm start' }
    : {
        level: 'warn',
        event: 'sfu_unreachable',
        sfu: new URL(httpUrlOf(access.url)).host,
        message: 'No connection to the SFU. The worker keeps trying.',
      };
