import { isRecord } from '../common/schema-texts.ts';
import type { Access } from '../protocol/service/access.ts';
import type { CreateRobotRequest, SemanticCommand, UpdateRobotRequest } from '../protocol/service/control-requests.ts';
import {
  type ControlGrant,
  type ControlOrderResult,
  LIBRARY_READS,
  LIST_MAX_LIMIT,
  type LibraryRobot,
  type LibrarySession,
  type ParticipantToken,
} from '../protocol/service/control-service.ts';
import type { SessionLink } from '../protocol/service/session-links.ts';
import type { SessionState } from '../protocol/service/session-state.ts';
import type { ControlKey } from '../protocol/signed/signed-claims.ts';
import type { DriverKind } from '../protocol/wire/driver.ts';
import type { EmergencyStopResult } from '../protocol/wire/emergency-stop.ts';
import type { ActionResult } from './action-result.ts';
import type { EmergencyStopOptions } from './emergency-stop.ts';
import { PlatformSDKError, RcwRuntimeError, TimeoutError } from './errors.ts';
import { request } from './internal/http.ts';
import { allPages, listPath } from './internal/pages.ts';
import { readActionResult } from './internal/read-result.ts';
import { hideWhenPrinted, inspectSymbol, redact } from './internal/redact.ts';
import { refuseBlocked } from './internal/refuse-blocked.ts';
import type { Settings } from './internal/settings.ts';
import { untilPressed } from './internal/until-pressed.ts';
import { randomId } from './internal/wait.ts';
import type { RequestOptions } from './options.ts';
import type { AnySkill, ParamsOf, ResultOf } from './skill-types.ts';

/** A page of robots. */
export interface RobotPage {
  /** At most `limit` robots. */
  robots: LibraryRobot[];
  /** The `afterId` of the next page; null on the last page. */
  next_id: string | null;
  /** Robots on all pages together. */
  total: number;
}

/** A page of sessions. */
export interface SessionPage {
  /** At most `limit` sessions, in the order of their robots. */
  sessions: SessionState[];
  /** The `afterId` of the next page; null on the last page. */
  next_id: string | null;
  /** Sessions on all pages together. */
  total: number;
}

/** A page of the links of a session. */
export interface LinkPage {
  /** At most `limit` links, oldest first. */
  links: SessionLink[];
  /** The `afterId` of the next page; null on the last page. */
  next_id: string | null;
  /** Valid links of the session on all pages together. */
  total: number;
}

/** A new robot and its PIN. */
export interface CreatedRobot {
  /** The robot, claimed for the caller. */
  robot: LibraryRobot;
  /** The PIN, shown only in this answer. Store it. */
  pin_code: string;
}

/** Fields of a new robot; `type` is optional. */
export type NewRobot = Partial<CreateRobotRequest> & Pick<CreateRobotRequest, 'name' | 'model'>;

/** Options of `createSession`. */
export interface CreateSessionOptions extends RequestOptions {
  /** Agents to dispatch: `[]` none (a simulator's tab takes the place), names: these agents, absent: the platform's default. */
  workerNames?: readonly string[] | undefined;
  /** @deprecated has no effect on dispatch; pass `workerNames` */
  workers?: unknown;
  /** Not available; see `PlatformNotAvailableError`. */
  environmentId?: string | undefined;
  /**
   * Scene of the product that the session is for, such as `kitchen`. A simulated robot opens that scene when it joins the room. A
   * robot that is already in the room stays in its scene; call its skill `select_scene`.
   * @default none
   */
  sceneId?: string | undefined;
}

/** Options of `createParticipantToken`. */
export interface ParticipantTokenOptions extends RequestOptions {
  /** Unique name in the room. A participant that joins under an existing name displaces the other one. */
  participantIdentity: string;
  /** Name that others in the room see. @default none */
  participantName?: string | undefined;
  /** Lifetime in seconds. @default 14 400; the service reduces more than 21 600 to that */
  ttlS?: number | undefined;
  /**
   * The permissions of the holder: `watch` may only view; `drive` may also call, and marks an operator's page.
   * @default none: may call
   */
  access?: Access | undefined;
}

/** Options of `createControlGrant`. */
export interface ControlGrantOptions extends RequestOptions {
  /** An Ed25519 public key. Its private half signs the calls and stays with its holder. */
  publicKey: ControlKey;
  /** The signer's name; the robot and its page show it. @default 'client' */
  holder?: string | undefined;
  /** Lifetime in seconds. @default 3 600; the service reduces more than 21 600 to that */
  ttlS?: number | undefined;
}

/** Options of `takeControl` of `robots`. */
export interface OrderControlOptions extends RequestOptions {
  /** Identity in the room of the new driver. */
  to: string;
  /** A name to show to others. @default the identity */
  name?: string | undefined;
  /** The kind of driver. @default 'program' */
  kind?: DriverKind | undefined;
}

/** Options of `sendSessionCommand`. */
export interface SessionCommandOptions extends RequestOptions {
  /** Chosen by the caller; the same id with the same parameters never runs twice. @default a new one */
  actionId?: string | undefined;
  /** The runtime stops the action itself after this many seconds. */
  deadlineS?: number | undefined;
}

/** The reply of a runtime, which `readActionResult` reads. Physical robots report less than the simulator's schema requires. */
const ANY_OBJECT = {
  safeParse: (data: unknown) => (isRecord(data) ? { success: true as const, data } : { success: false as const }),
};

/**
 * The robots of the key's owner. Data has the field names of the wire; methods and options follow the language. Every method
 * rejects with PlatformAPIError when the service rejects the request (`robot.not_found` …), PlatformConnectionError when the
 * service cannot be reached, and TimeoutError when it does not answer in time.
 */
export class Robots {
  readonly #settings: Settings;

  /** @internal */
  constructor(settings: Settings) {
    this.#settings = settings;
  }

  /**
   * Reads one page.
   * @param options.limit robots on the page, 1…100 @default 20
   * @param options.afterId `next_id` of the previous page; absent for the first page
   */
  async list(options: RequestOptions & { limit?: number | undefined; afterId?: string | undefined } = {}): Promise<RobotPage> {
    const path = listPath('/v1/robots', options);
    return request(this.#settings, { ...only(options), method: 'GET', path }, LIBRARY_READS.robots);
  }

  /**
   * Yields all robots, and reads each page when it is needed.
   * @param options.limit robots on a page
   * @throws PlatformSDKError when the service returns pages without end
   */
  async *iter(options: RequestOptions & { limit?: number | undefined } = {}): AsyncGenerator<LibraryRobot, void, undefined> {
    const read = (afterId: string | undefined) => this.list({ ...options, limit: options.limit ?? LIST_MAX_LIMIT, afterId });
    yield* allPages('/v1/robots', read, (page) => page.robots);
  }

  /** Reads one robot. */
  async get(robotId: string, options: RequestOptions = {}): Promise<LibraryRobot> {
    return request(this.#settings, { ...only(options), method: 'GET', path: robotPath(robotId) }, LIBRARY_READS.robot);
  }

  /** Creates a virtual robot, claimed for the caller. Printing the result does not show its PIN. */
  async create(robot: NewRobot, options: RequestOptions = {}): Promise<CreatedRobot> {
    const call = { ...only(options), method: 'POST', path: '/v1/robots', body: robot } as const;
    return hideWhenPrinted(await request(this.#settings, call, LIBRARY_READS.created), ['pin_code']);
  }

  /** Changes the given fields and leaves the others unchanged. */
  async update(robotId: string, changes: UpdateRobotRequest, options: RequestOptions = {}): Promise<LibraryRobot> {
    const call = { ...only(options), method: 'PATCH', path: robotPath(robotId), body: changes } as const;
    return request(this.#settings, call, LIBRARY_READS.robot);
  }

  /** Deletes a virtual robot, or releases a physical one. If it has a session, the session is closed. */
  async delete(robotId: string, options: RequestOptions = {}): Promise<void> {
    return request(this.#settings, { ...only(options), method: 'DELETE', path: robotPath(robotId) }, null);
  }

  /**
   * Claims a physical robot with its PIN. @throws PlatformAPIError `claim.wrong_pin`, `claim.already_claimed`,
   * `claim.rate_limited`
   */
  async claim(robotId: string, pinCode: string, options: RequestOptions = {}): Promise<LibraryRobot> {
    const call = { ...only(options), method: 'POST', path: robotPath(robotId, 'claim'), body: { pin_code: pinCode } } as const;
    return request(this.#settings, call, LIBRARY_READS.robot);
  }

  /**
   * Opens the robot's session, or returns the open one: its room and a token for it. Printing the result does not show the token.
   */
  async createSession(robotId: string, options: CreateSessionOptions = {}): Promise<LibrarySession> {
    refuseBlocked('environment_id', options.environmentId);
    if (options.workers !== undefined) warnOfWorkers(this.#settings);
    const { workerNames, sceneId } = options;
    // JSON leaves out a key without a value.
    const body = { worker_names: workerNames, scene_id: sceneId };
    const call = { ...only(options), method: 'POST', path: robotPath(robotId, 'session'), body } as const;
    return hideWhenPrinted(await request(this.#settings, call, LIBRARY_READS.session), ['participant_token']);
  }

  /** Closes the robot's room and disconnects everyone in it. @throws PlatformAPIError 404 when no session is open */
  async deleteSession(robotId: string, options: RequestOptions = {}): Promise<void> {
    return request(this.#settings, { ...only(options), method: 'DELETE', path: robotPath(robotId, 'session') }, null);
  }

  /**
   * Returns the current state of the robot's session: the participants, and the runtime's presence and activity. Changes nothing.
   */
  async getSession(robotId: string, options: RequestOptions = {}): Promise<SessionState> {
    const call = { ...only(options), method: 'GET', path: robotPath(robotId, 'session') } as const;
    return request(this.#settings, call, LIBRARY_READS.session_state);
  }

  /**
   * Reads one page of the sessions of all robots, each as `getSession` returns it. A robot without a session is not listed. A
   * state may be 2 s old.
   * @param options.limit sessions on the page, 1…100 @default 20
   * @param options.afterId `next_id` of the previous page; absent for the first page
   */
  async listSessions(
    options: RequestOptions & { limit?: number | undefined; afterId?: string | undefined } = {},
  ): Promise<SessionPage> {
    const call = { ...only(options), method: 'GET', path: listPath('/v1/sessions', options) } as const;
    return request(this.#settings, call, LIBRARY_READS.sessions);
  }

  /** Creates another credential for the robot's session. Printing the result does not show it. */
  async createParticipantToken(robotId: string, options: ParticipantTokenOptions): Promise<ParticipantToken> {
    const body = {
      participant_identity: options.participantIdentity,
      ...(options.participantName === undefined ? {} : { participant_name: options.participantName }),
      ...(options.ttlS === undefined ? {} : { ttl_seconds: options.ttlS }),
      ...(options.access === undefined ? {} : { access: options.access }),
    };
    const call = { ...only(options), method: 'POST', path: robotPath(robotId, 'session/participant-token'), body } as const;
    return hideWhenPrinted(await request(this.#settings, call, LIBRARY_READS.participant), ['participant_token']);
  }

  /**
   * Reads one page of the valid links of the robot's session: what each allows, and until when. Empty if no session is open.
   * @param options.limit links on the page, 1…100 @default 20
   * @param options.afterId `next_id` of the previous page; absent for the first page
   */
  async listLinks(
    robotId: string,
    options: RequestOptions & { limit?: number | undefined; afterId?: string | undefined } = {},
  ): Promise<LinkPage> {
    const call = { ...only(options), method: 'GET', path: listPath(robotPath(robotId, 'session/links'), options) } as const;
    return request(this.#settings, call, LIBRARY_READS.links);
  }

  /**
   * Revokes a link by its id. It gives no further access or grants, and its pages leave the room within seconds.
   * @throws PlatformAPIError `link.not_found`
   */
  async revokeLink(robotId: string, linkId: string, options: RequestOptions = {}): Promise<void> {
    if (/^\.{0,2}$/.test(linkId)) throw new TypeError('The link id is empty. Pass the id of a link, as the list has it.');
    const call = { ...only(options), method: 'DELETE', path: robotPath(robotId, `session/links/${encodeId(linkId)}`) } as const;
    return request(this.#settings, call, null);
  }

  /**
   * Creates a grant for signed calls to the robot in its session; `connect` does this automatically. Printing the result hides
   * the grant.
   */
  async createControlGrant(robotId: string, options: ControlGrantOptions): Promise<ControlGrant> {
    const body = {
      public_key: options.publicKey,
      ...(options.holder === undefined ? {} : { holder: options.holder }),
      ...(options.ttlS === undefined ? {} : { ttl_seconds: options.ttlS }),
    };
    const call = { ...only(options), method: 'POST', path: robotPath(robotId, 'session/control-grant'), body } as const;
    return hideWhenPrinted(await request(this.#settings, call, LIBRARY_READS.grant), ['grant']);
  }

  /**
   * Presses the emergency stop without joining the room. The stop latches at the service and at each runtime in the robot's room,
   * also at one that joins later. Only a person at the robot's page releases it. The request is repeated until it is answered.
   * `stands` of the answer is true if the robot is known to stand.
   */
  async emergencyStop(robotId: string, options: EmergencyStopOptions = {}): Promise<EmergencyStopResult> {
    const { reason, signal } = options;
    const path = robotPath(robotId, 'emergency-stop');
    const body = reason === undefined ? {} : { reason };
    const send = (timeoutMs: number) =>
      request(this.#settings, { signal, timeoutMs, method: 'POST', path, body }, LIBRARY_READS.emergency);
    return untilPressed(send, options);
  }

  /**
   * Orders, as the owner, who drives the robot from now on, without joining the room. The current driver loses the lease: its
   * actions end with `NOT_CONTROLLER`, the robot stands, and all participants are notified. The new driver must renew the lease
   * as usual, so use `session.takeControl({ over: true })` to drive in this session. Safe to repeat.
   * @returns the new and the former driver
   * @throws PlatformAPIError `control.no_driver` when no participant has that identity, `control.unsupported` for an older
   * runtime, 504 `control.unanswered` when the runtime did not confirm the order in time
   */
  async takeControl(robotId: string, options: OrderControlOptions): Promise<ControlOrderResult> {
    const { to, name, kind } = options;
    return this.#orderControl(robotId, { to, name, kind }, options);
  }

  /** Orders, as the owner, that no one drives. Any participant may then command or take the robot. @throws as `takeControl` */
  async releaseControl(robotId: string, options: RequestOptions = {}): Promise<ControlOrderResult> {
    return this.#orderControl(robotId, { to: null }, options);
  }

  #orderControl(robotId: string, body: Readonly<Record<string, unknown>>, options: RequestOptions): Promise<ControlOrderResult> {
    const call = { ...only(options), method: 'POST', path: robotPath(robotId, 'session/control'), body } as const;
    return request(this.#settings, call, LIBRARY_READS.control);
  }

  /** Makes a short move, a step or a turn, without joining the room. */
  async sendSemanticCommand(robotId: string, command: SemanticCommand, options: RequestOptions = {}): Promise<void> {
    const call = { ...only(options), method: 'POST', path: robotPath(robotId, 'semantic-command'), body: { command } } as const;
    await request(this.#settings, call, LIBRARY_READS.accepted);
  }

  /**
   * Runs a skill of the runtime in the robot's session, without joining the room, and returns the end of the action. The platform
   * waits for the end: set `timeoutMs` for a skill that takes longer than the client's timeout. The request is sent only once;
   * the same `actionId` never runs twice.
   * @throws RcwRuntimeError when the call did not become an action; PlatformAPIError 409 without a session or a runtime, 504 when
   * the runtime does not answer and the action may still run; TimeoutError with the action's id
   */
  async sendSessionCommand<N extends AnySkill>(
    robotId: string,
    skill: N,
    parameters: ParamsOf<N>,
    options: SessionCommandOptions = {},
  ): Promise<ActionResult<ResultOf<N>>> {
    const actionId = options.actionId ?? randomId('act');
    const deadline = options.deadlineS === undefined ? {} : { deadline_s: options.deadlineS };
    const body = { skill, parameters, action_id: actionId, ...deadline };
    const call = { ...only(options), method: 'POST', path: robotPath(robotId, 'session/command'), body } as const;
    try {
      const reply = await request(this.#settings, call, ANY_OBJECT);
      return readActionResult(reply) as ActionResult<ResultOf<N>>;
    } catch (error) {
      if (error instanceof TimeoutError) throw new TimeoutError(`${error.message} The skill may still run.`, actionId);
      if (!(error instanceof RcwRuntimeError)) throw error;
      // The reply came through the service, which may repeat what it received.
      const clean = (value: string) => redact(value, this.#settings.apiKey);
      throw new RcwRuntimeError(
        clean(error.code),
        clean(error.runtimeMessage),
        redact({ ...error.details }, this.#settings.apiKey),
      );
    }
  }

  /** Prints none of the settings, because they contain the key. */
  [inspectSymbol](): string {
    return 'Robots()';
  }
}

function robotPath(robotId: string, rest?: string): string {
  // An empty id, or one of dots, would address another resource.
  if (/^\.{0,2}$/.test(robotId)) throw new TypeError('The robot id is empty. Pass the id of a robot.');
  return `/v1/robots/${encodeId(robotId)}${rest === undefined ? '' : `/${rest}`}`;
}

function encodeId(id: string): string {
  try {
    return encodeURIComponent(id);
  } catch {
    throw new PlatformSDKError('The robot id fits in no address: it holds half of a character. Pass the id of a robot.');
  }
}

const only = ({ signal, timeoutMs }: RequestOptions): RequestOptions => ({ signal, timeoutMs });

let hasWarned = false;

/** Warns once per program. */
function warnOfWorkers(settings: Settings): void {
  if (hasWarned) return;
  hasWarned = true;
  const message = 'workers does not dispatch workers; pass workerNames instead.';
  if (typeof process !== 'undefined' && typeof process.emitWarning === 'function') {
    process.emitWarning(message, 'DeprecationWarning');
  } else {
    settings.logger.warn(message);
  }
}
