import type { Access } from '../protocol/access.ts';
import {
  type ControlGrant,
  type ControlOrderResult,
  type CreateRobotRequest,
  LIBRARY_ANSWERS,
  LIST_MAX_LIMIT,
  type LibraryRobot,
  type LibrarySession,
  type ParticipantToken,
  type SemanticCommand,
  type UpdateRobotRequest,
} from '../protocol/control-service.ts';
import type { DriverKind } from '../protocol/driver.ts';
import type { EmergencyStopResult } from '../protocol/emergency-stop.ts';
import { isRecord } from '../protocol/schema-words.ts';
import type { SessionLink } from '../protocol/session-links.ts';
import type { SessionState } from '../protocol/session-state.ts';
import type { ControlKey } from '../protocol/signed-claims.ts';
import type { ActionResult } from './action-result.ts';
import type { EmergencyStopOptions } from './emergency-stop.ts';
import { PlatformSDKError, RcwRuntimeError, TimeoutError } from './errors.ts';
import { request } from './internal/http.ts';
import { allPages, listPath } from './internal/pages.ts';
import { untilPressed } from './internal/press-everywhere.ts';
import { readActionResult } from './internal/read-result.ts';
import { hideWhenPrinted, inspectSymbol, redact } from './internal/redact.ts';
import { refuseBlocked } from './internal/refuse-blocked.ts';
import type { Settings } from './internal/settings.ts';
import { randomId } from './internal/wait.ts';
import type { RequestOptions } from './options.ts';
import type { AnySkill, ParamsOf, ResultOf } from './skill-types.ts';

/** A page of robots. */
export interface RobotPage {
  /** At most `limit` of them. */
  robots: LibraryRobot[];
  /** The `afterId` of the page after it; null on the last. */
  next_id: string | null;
  /** Robots on all pages together. */
  total: number;
}

/** A page of sessions. */
export interface SessionPage {
  /** At most `limit` of them, in the order of their robots. */
  sessions: SessionState[];
  /** The `afterId` of the page after it; null on the last. */
  next_id: string | null;
  /** Sessions on all pages together. */
  total: number;
}

/** A page of the links of a session. */
export interface LinkPage {
  /** At most `limit` of them, oldest first. */
  links: SessionLink[];
  /** The `afterId` of the page after it; null on the last. */
  next_id: string | null;
  /** Valid links of the session on all pages together. */
  total: number;
}

/** A new robot and its PIN. */
export interface CreatedRobot {
  /** The robot, claimed for the caller. */
  robot: LibraryRobot;
  /** Shown here once and never again: store it. */
  pin_code: string;
}

/** Fields of a new robot; `type` may be left out. */
export type NewRobot = Partial<CreateRobotRequest> & Pick<CreateRobotRequest, 'name' | 'model'>;

/** Options of `createSession`. */
export interface CreateSessionOptions extends RequestOptions {
  /** Agents to dispatch: `[]` none (a simulator's tab fills the place), names these, absent the platform's default. */
  workerNames?: readonly string[] | undefined;
  /** @deprecated drives dispatch no longer; pass `workerNames` */
  workers?: unknown;
  /** Not available; see `PlatformNotAvailableError`. */
  environmentId?: string | undefined;
  /**
   * Scene of the product that the session is for, such as `kitchen`: a simulated robot opens there when it comes into the room. One that is in
   * the room already stays in its scene; call its skill `select_scene`. @default none
   */
  sceneId?: string | undefined;
}

/** Options of `createParticipantToken`. */
export interface ParticipantTokenOptions extends RequestOptions {
  /** Unique name in the room; who joins under one that is there already takes its place. */
  participantIdentity: string;
  /** Name that others in the room see. @default none */
  participantName?: string | undefined;
  /** Lifetime in seconds. @default 14 400; the service cuts more than 21 600 to that */
  ttlS?: number | undefined;
  /** What its holder may do: `watch` only sees, `drive` calls too and marks an operator's page. @default none: calls */
  access?: Access | undefined;
}

/** Options of `createControlGrant`. */
export interface ControlGrantOptions extends RequestOptions {
  /** An Ed25519 public key; its private half signs the calls and stays with its holder. */
  publicKey: ControlKey;
  /** The signer's name, as the robot and its page show it. @default 'client' */
  holder?: string | undefined;
  /** Lifetime in seconds. @default 3 600; the service cuts more than 21 600 to that */
  ttlS?: number | undefined;
}

/** Options of `takeControl` of `robots`. */
export interface OrderControlOptions extends RequestOptions {
  /** Identity in the room of the participant who drives from now on. */
  to: string;
  /** A name to show to others. @default the identity */
  name?: string | undefined;
  /** What drives. @default 'program' */
  kind?: DriverKind | undefined;
}

/** Options of `sendSessionCommand`. */
export interface SessionCommandOptions extends RequestOptions {
  /** Chosen by the caller; the same id with the same parameters never runs twice. @default a fresh one */
  actionId?: string | undefined;
  /** The runtime stops the action itself after this many seconds. */
  deadlineS?: number | undefined;
}

/** The reply of a runtime, which `readActionResult` reads: physical robots say less than the simulator's schema asks for. */
const ANY_OBJECT = {
  safeParse: (data: unknown) => (isRecord(data) ? { success: true as const, data } : { success: false as const }),
};

/**
 * The robots of the key's owner. Data has the field names of the wire; methods and options those of the language. Every method rejects with
 * PlatformAPIError when the service refuses (`robot.not_found` …), PlatformConnectionError when it cannot be reached, TimeoutError when it does
 * not answer in time.
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
   * @param options.afterId `next_id` of the page before; absent for the first
   */
  async list(options: RequestOptions & { limit?: number | undefined; afterId?: string | undefined } = {}): Promise<RobotPage> {
    const path = listPath('/v1/robots', options);
    return request(this.#settings, { ...only(options), method: 'GET', path }, LIBRARY_ANSWERS.robots);
  }

  /**
   * Reads all robots, page by page as they are needed.
   * @param options.limit robots on a page
   * @throws PlatformSDKError when the service names pages that never end
   */
  async *iter(options: RequestOptions & { limit?: number | undefined } = {}): AsyncGenerator<LibraryRobot, void, undefined> {
    const read = (afterId: string | undefined) => this.list({ ...options, limit: options.limit ?? LIST_MAX_LIMIT, afterId });
    yield* allPages('/v1/robots', read, (page) => page.robots);
  }

  /** Reads one robot. */
  async get(robotId: string, options: RequestOptions = {}): Promise<LibraryRobot> {
    return request(this.#settings, { ...only(options), method: 'GET', path: robotPath(robotId) }, LIBRARY_ANSWERS.robot);
  }

  /** Creates a virtual robot, claimed for the caller. Printing the result does not show its PIN. */
  async create(robot: NewRobot, options: RequestOptions = {}): Promise<CreatedRobot> {
    const call = { ...only(options), method: 'POST', path: '/v1/robots', body: robot } as const;
    return hideWhenPrinted(await request(this.#settings, call, LIBRARY_ANSWERS.created), ['pin_code']);
  }

  /** Changes the given fields and leaves the others. */
  async update(robotId: string, changes: UpdateRobotRequest, options: RequestOptions = {}): Promise<LibraryRobot> {
    const call = { ...only(options), method: 'PATCH', path: robotPath(robotId), body: changes } as const;
    return request(this.#settings, call, LIBRARY_ANSWERS.robot);
  }

  /** Deletes a robot. A session of it is closed. */
  async delete(robotId: string, options: RequestOptions = {}): Promise<void> {
    return request(this.#settings, { ...only(options), method: 'DELETE', path: robotPath(robotId) }, null);
  }

  /** Takes a physical robot with its PIN. @throws PlatformAPIError `claim.wrong_pin`, `claim.already_claimed`, `claim.rate_limited` */
  async claim(robotId: string, pinCode: string, options: RequestOptions = {}): Promise<LibraryRobot> {
    const call = { ...only(options), method: 'POST', path: robotPath(robotId, 'claim'), body: { pin_code: pinCode } } as const;
    return request(this.#settings, call, LIBRARY_ANSWERS.robot);
  }

  /** Opens the robot's session, or gives that which is open: its room and a token for it. Printing the result does not show its token. */
  async createSession(robotId: string, options: CreateSessionOptions = {}): Promise<LibrarySession> {
    refuseBlocked('environment_id', options.environmentId);
    if (options.workers !== undefined) warnOfWorkers(this.#settings);
    const { workerNames, sceneId } = options;
    // A key without a value is left out of the JSON.
    const body = { worker_names: workerNames, scene_id: sceneId };
    const call = { ...only(options), method: 'POST', path: robotPath(robotId, 'session'), body } as const;
    return hideWhenPrinted(await request(this.#settings, call, LIBRARY_ANSWERS.session), ['participant_token']);
  }

  /** Closes the robot's room and puts everyone out. @throws PlatformAPIError 404 when no session is open */
  async deleteSession(robotId: string, options: RequestOptions = {}): Promise<void> {
    return request(this.#settings, { ...only(options), method: 'DELETE', path: robotPath(robotId, 'session') }, null);
  }

  /** Tells how the robot's session is just now: who is in its room, whether the runtime is there and what it does. Looking changes nothing. */
  async getSession(robotId: string, options: RequestOptions = {}): Promise<SessionState> {
    const call = { ...only(options), method: 'GET', path: robotPath(robotId, 'session') } as const;
    return request(this.#settings, call, LIBRARY_ANSWERS.session_state);
  }

  /**
   * Reads one page of the sessions of all robots, each as `getSession` tells it; a robot without a session is not among them. A state
   * may be two seconds old.
   * @param options.limit sessions on the page, 1…100 @default 20
   * @param options.afterId `next_id` of the page before; absent for the first
   */
  async listSessions(
    options: RequestOptions & { limit?: number | undefined; afterId?: string | undefined } = {},
  ): Promise<SessionPage> {
    const call = { ...only(options), method: 'GET', path: listPath('/v1/sessions', options) } as const;
    return request(this.#settings, call, LIBRARY_ANSWERS.sessions);
  }

  /** Gives a further credential for the robot's session. Printing the result does not show it. */
  async createParticipantToken(robotId: string, options: ParticipantTokenOptions): Promise<ParticipantToken> {
    const body = {
      participant_identity: options.participantIdentity,
      ...(options.participantName === undefined ? {} : { participant_name: options.participantName }),
      ...(options.ttlS === undefined ? {} : { ttl_seconds: options.ttlS }),
      ...(options.access === undefined ? {} : { access: options.access }),
    };
    const call = { ...only(options), method: 'POST', path: robotPath(robotId, 'session/participant-token'), body } as const;
    return hideWhenPrinted(await request(this.#settings, call, LIBRARY_ANSWERS.participant), ['participant_token']);
  }

  /**
   * Reads one page of the valid links of the robot's session: what each allows, and until when. Without a session there are none.
   * @param options.limit links on the page, 1…100 @default 20
   * @param options.afterId `next_id` of the page before; absent for the first
   */
  async listLinks(
    robotId: string,
    options: RequestOptions & { limit?: number | undefined; afterId?: string | undefined } = {},
  ): Promise<LinkPage> {
    const call = { ...only(options), method: 'GET', path: listPath(robotPath(robotId, 'session/links'), options) } as const;
    return request(this.#settings, call, LIBRARY_ANSWERS.links);
  }

  /**
   * Revokes a link by its id: it gives no place and no grant any more, and its pages leave the room within seconds.
   * @throws PlatformAPIError `link.not_found`
   */
  async revokeLink(robotId: string, linkId: string, options: RequestOptions = {}): Promise<void> {
    if (/^\.{0,2}$/.test(linkId)) throw new TypeError('The link id is empty. Pass the id of a link, as the list has it.');
    const call = { ...only(options), method: 'DELETE', path: robotPath(robotId, `session/links/${encodeId(linkId)}`) } as const;
    return request(this.#settings, call, null);
  }

  /** Gives leave to send signed calls to the robot in its session; `connect` does this by itself. Printing the result hides the grant. */
  async createControlGrant(robotId: string, options: ControlGrantOptions): Promise<ControlGrant> {
    const body = {
      public_key: options.publicKey,
      ...(options.holder === undefined ? {} : { holder: options.holder }),
      ...(options.ttlS === undefined ? {} : { ttl_seconds: options.ttlS }),
    };
    const call = { ...only(options), method: 'POST', path: robotPath(robotId, 'session/control-grant'), body } as const;
    return hideWhenPrinted(await request(this.#settings, call, LIBRARY_ANSWERS.grant), ['grant']);
  }

  /**
   * Presses the emergency stop, without joining the room. It latches at the service and at each runtime in the robot's room, also at
   * one that comes later; only a person at the robot's page releases it. Repeated until it is answered. `stands` of the answer says
   * whether the robot is known to stand.
   */
  async emergencyStop(robotId: string, options: EmergencyStopOptions = {}): Promise<EmergencyStopResult> {
    const { reason, signal } = options;
    const path = robotPath(robotId, 'emergency-stop');
    const body = reason === undefined ? {} : { reason };
    const send = (timeoutMs: number) =>
      request(this.#settings, { signal, timeoutMs, method: 'POST', path, body }, LIBRARY_ANSWERS.emergency);
    return untilPressed(send, options);
  }

  /**
   * Orders, as the owner, who drives the robot from now on, from whoever does, without joining the room. What the former driver had
   * running ends with `NOT_CONTROLLER`, the robot stands, and all in its room are told. The new driver then renews the lease as any
   * other, so `session.takeControl({ over: true })` is the way to drive oneself. Repeating is safe.
   * @returns who drives now, and who did
   * @throws PlatformAPIError `control.no_driver` when nobody of that identity is in the room, `control.unsupported` for an older
   * runtime, 504 `control.unanswered` when the runtime did not say in time that it obeyed
   */
  async takeControl(robotId: string, options: OrderControlOptions): Promise<ControlOrderResult> {
    const { to, name, kind } = options;
    return this.#orderControl(robotId, { to, name, kind }, options);
  }

  /** Orders, as the owner, that nobody drives any more: whoever calls commands then, and may take the robot. @throws as `takeControl` */
  async releaseControl(robotId: string, options: RequestOptions = {}): Promise<ControlOrderResult> {
    return this.#orderControl(robotId, { to: null }, options);
  }

  #orderControl(robotId: string, body: Readonly<Record<string, unknown>>, options: RequestOptions): Promise<ControlOrderResult> {
    const call = { ...only(options), method: 'POST', path: robotPath(robotId, 'session/control'), body } as const;
    return request(this.#settings, call, LIBRARY_ANSWERS.control);
  }

  /** Makes a short move, without joining the room: a step or a turn. */
  async sendSemanticCommand(robotId: string, command: SemanticCommand, options: RequestOptions = {}): Promise<void> {
    const call = { ...only(options), method: 'POST', path: robotPath(robotId, 'semantic-command'), body: { command } } as const;
    await request(this.#settings, call, LIBRARY_ANSWERS.accepted);
  }

  /**
   * Runs a skill of the runtime in the robot's session, without joining the room, and gives the end of the action. The platform waits for
   * it: a skill that takes longer than the client's time limit needs `timeoutMs`. Sent once, whatever happens; the same `actionId` never
   * runs twice.
   * @throws RcwRuntimeError when it did not become an action; PlatformAPIError 409 without a session or a runtime, 504 when the runtime
   * does not answer, and it may still run; TimeoutError with the action's id
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
      // It came through the service, which may repeat what it was sent.
      const clean = (value: string) => redact(value, this.#settings.apiKey);
      throw new RcwRuntimeError(
        clean(error.code),
        clean(error.runtimeMessage),
        redact({ ...error.details }, this.#settings.apiKey),
      );
    }
  }

  /** The settings hold the key; nothing of them is printed. */
  [inspectSymbol](): string {
    return 'Robots()';
  }
}

function robotPath(robotId: string, rest?: string): string {
  // An empty id, or one of dots, would name another resource.
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

/** Once for a program. */
function warnOfWorkers(settings: Settings): void {
  if (hasWarned) return;
  hasWarned = true;
  const message = 'workers no longer drives dispatch; pass workerNames instead.';
  if (typeof process !== 'undefined' && typeof process.emitWarning === 'function') {
    process.emitWarning(message, 'DeprecationWarning');
  } else {
    settings.logger.warn(message);
  }
}
