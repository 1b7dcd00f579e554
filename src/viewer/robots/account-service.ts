import type { Access } from '../../protocol/access.ts';
import type { ApiKey } from '../../protocol/api-keys.ts';
import type { ControlOrderResult, ParticipantToken, Robot } from '../../protocol/control-service.ts';
import type { EmergencyStopResult } from '../../protocol/emergency-stop.ts';
import { simulatorIdentity } from '../../protocol/identity.ts';
import { encodeRoomKey } from '../../protocol/room-key.ts';
import { isRecord } from '../../protocol/schema-texts.ts';
import type { SessionLink } from '../../protocol/session-links.ts';
import type { SessionState } from '../../protocol/session-state.ts';
import type { fetchOwn } from '../engine/own-server.ts';

/** Why a request failed. */
export interface Problem {
  kind: 'key-refused' | 'limited' | 'away' | 'refused';
  /** Sentences for people: what is wrong and what to do. */
  text: string;
  /** When a retry is useful, as the service reports; null if it does not. */
  retryAfterMs: number | null;
}

export type Result<T> = { ok: true; value: T } | { ok: false; problem: Problem };

/** A room key and its expiry, ISO 8601. */
export interface EndingKey {
  roomKey: string;
  expiresAt: string;
}

/** The participant names of visitors with a link, as others in the room see them. */
const VISITORS = { drive: 'operator', watch: 'watcher' } as const satisfies Record<Access, string>;

/** The reason shown to people who find the robot stopped. */
const STOP_REASON = 'Pressed on the page of all robots';

const PAGE_LIMIT = 100;
/** More pages than any account's robots fill. An endless list is cut off here. */
const PAGES_MAX = 1_000;
/** The service gives an operation 25 s. */
const ANSWER_WITHIN_MS = 30_000;

/** A key contains no spaces, and a header allows no other characters. */
const KEY_FORM = /^[\x21-\x7e]{1,512}$/;
/** Returns whether a text can be sent as a key. */
export const isKeyForm = (text: string): boolean => KEY_FORM.test(text);

/** The control service with one API key, which cannot be read back. */
export class AccountService {
  readonly #key: string;
  readonly #fetch: typeof fetchOwn;

  constructor(key: string, send: typeof fetchOwn) {
    this.#key = key;
    this.#fetch = send;
  }

  readRobots(signal: AbortSignal): Promise<Result<Robot[]>> {
    return this.#readAll<Robot>('/v1/robots', signal);
  }

  readSessions(signal: AbortSignal): Promise<Result<SessionState[]>> {
    return this.#readAll<SessionState>('/v1/sessions', signal);
  }

  readKeys(signal: AbortSignal): Promise<Result<ApiKey[]>> {
    return this.#readAll<ApiKey>('/v1/api-keys', signal);
  }

  readLinks(robotId: string, signal: AbortSignal): Promise<Result<SessionLink[]>> {
    return this.#readAll<SessionLink>(`${robotPath(robotId)}/session/links`, signal);
  }

  async revokeLink(robotId: string, linkId: string): Promise<Result<null>> {
    return mapped(await this.#send('DELETE', `${robotPath(robotId)}/session/links/${encodeURIComponent(linkId)}`), () => null);
  }

  async createRobot(name: string, model: string): Promise<Result<{ robot: Robot; pinCode: string }>> {
    const answer = await this.#send('POST', '/v1/robots', { name, model, type: 'virtual' });
    return mapped(answer, (body) => ({ robot: body.result as Robot, pinCode: String(body.pin_code) }));
  }

  async renameRobot(robotId: string, name: string): Promise<Result<Robot>> {
    return mapped(await this.#send('PATCH', robotPath(robotId), { name }), (body) => body.result as Robot);
  }

  async claimRobot(robotId: string, pinCode: string): Promise<Result<Robot>> {
    return mapped(await this.#send('POST', `${robotPath(robotId)}/claim`, { pin_code: pinCode }), (body) => body.result as Robot);
  }

  async deleteRobot(robotId: string): Promise<Result<null>> {
    return mapped(await this.#send('DELETE', robotPath(robotId)), () => null);
  }

  /** Returns a room key with which a page becomes the robot. Opens its session if it has none. */
  async openRoom(robotId: string): Promise<Result<EndingKey>> {
    const opened = await this.#send('POST', `${robotPath(robotId)}/session`, { worker_names: [] });
    if (!opened.ok) return opened;
    const body = { participant_identity: simulatorIdentity(robotId) };
    const place = await this.#send('POST', `${robotPath(robotId)}/session/participant-token`, body);
    return mapped(place, ({ result }) => {
      const { livekit_url: sfuUrl, participant_token: token, expires_at: expiresAt } = result as ParticipantToken;
      return { roomKey: encodeRoomKey({ sfuUrl, token }), expiresAt };
    });
  }

  /**
   * Returns a room key for a person who drives or watches the robot that runs elsewhere, valid for four hours. The robot's
   * session must be open.
   * The library's `generateOperatorUrl` and `generateWatchUrl` request the same key.
   */
  async openVisit(robotId: string, access: Access): Promise<Result<EndingKey>> {
    const kind = VISITORS[access];
    // The suffix distinguishes two visitors when they ask for control of the robot.
    const mark = randomName();
    const body = { access, participant_identity: `${kind}-${mark}`, participant_name: `${kind} ${mark.slice(0, 4)}` };
    const place = await this.#send('POST', `${robotPath(robotId)}/session/participant-token`, body);
    return mapped(place, ({ result }) => {
      const { livekit_url: sfuUrl, participant_token: token, expires_at: expiresAt } = result as ParticipantToken;
      return { roomKey: encodeRoomKey({ sfuUrl, token }), expiresAt };
    });
  }

  /** Opens the session of a robot whose workers the platform knows, if it has none. */
  async openSession(robotId: string): Promise<Result<null>> {
    return mapped(await this.#send('POST', `${robotPath(robotId)}/session`, {}), () => null);
  }

  /** Presses the emergency stop of a robot, which no program can release. */
  async emergencyStop(robotId: string): Promise<Result<EmergencyStopResult>> {
    const pressed = await this.#send('POST', `${robotPath(robotId)}/emergency-stop`, { reason: STOP_REASON });
    return mapped(pressed, ({ result }) => result as EmergencyStopResult);
  }

  /** Orders the current driver to stop driving. @returns the state that the robot's runtime reports after the order */
  async putDriverOut(robotId: string): Promise<Result<ControlOrderResult>> {
    const ordered = await this.#send('POST', `${robotPath(robotId)}/session/control`, { to: null });
    return mapped(ordered, ({ result }) => result as ControlOrderResult);
  }

  async createKey(name: string, ttlS: number | null): Promise<Result<{ row: ApiKey; key: string }>> {
    const answer = await this.#send('POST', '/v1/api-keys', { name, ...(ttlS === null ? {} : { ttl_seconds: ttlS }) });
    return mapped(answer, (body) => ({ row: body.result as ApiKey, key: String(body.api_key) }));
  }

  async revokeKey(keyId: string): Promise<Result<null>> {
    return mapped(await this.#send('DELETE', `/v1/api-keys/${encodeURIComponent(keyId)}`), () => null);
  }

  async #readAll<T>(path: string, signal: AbortSignal): Promise<Result<T[]>> {
    const found: T[] = [];
    let after = '';
    for (let page = 0; page < PAGES_MAX; page += 1) {
      const answer = await this.#send('GET', `${path}?limit=${PAGE_LIMIT}${after}`, undefined, signal);
      if (!answer.ok) return answer;
      const { result, next_id: nextId } = answer.value;
      if (!Array.isArray(result)) return { ok: false, problem: NO_SERVICE };
      found.push(...(result as T[]));
      if (typeof nextId !== 'string' || result.length === 0) break;
      after = `&after_id=${encodeURIComponent(nextId)}`;
    }
    return { ok: true, value: found };
  }

  async #send(method: string, path: string, body?: object, signal?: AbortSignal): Promise<Result<Record<string, unknown>>> {
    const late = AbortSignal.timeout(ANSWER_WITHIN_MS);
    let response: Response;
    let text: string;
    try {
      response = await this.#fetch(path, {
        method,
        headers: {
          Authorization: `Bearer ${this.#key}`,
          ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        cache: 'no-store',
        credentials: 'omit',
        redirect: 'error',
        signal: signal ? AbortSignal.any([signal, late]) : late,
      });
      text = await response.text();
    } catch {
      return { ok: false, problem: AWAY };
    }
    if (response.status === 204) return { ok: true, value: {} };
    const answer = parse(text);
    if (!response.ok) return { ok: false, problem: problemOf(response, answer) };
    return isRecord(answer) && answer.code === 'ok' ? { ok: true, value: answer } : { ok: false, problem: NO_SERVICE };
  }
}

const AWAY: Problem = {
  kind: 'away',
  text: 'The service does not answer. Check that it runs and that this machine has a network; this page retries automatically.',
  retryAfterMs: null,
};
const NO_SERVICE: Problem = {
  kind: 'away',
  text: 'The server here is not a control service. Open this page from the platform itself.',
  retryAfterMs: null,
};

function problemOf(response: Response, answer: unknown): Problem {
  const seconds = Number(response.headers.get('retry-after'));
  const retryAfterMs = seconds > 0 ? seconds * 1_000 : null;
  const { message, details } = isRecord(answer) ? answer : {};
  const said = typeof message === 'string' ? message : null;
  if (response.status === 401) {
    const hint = isRecord(details) && typeof details.hint === 'string' ? details.hint : 'The service does not take this API key.';
    return { kind: 'key-refused', text: hint, retryAfterMs };
  }
  if (response.status === 429)
    return { kind: 'limited', text: said ?? 'There were too many requests. Wait a little.', retryAfterMs };
  if (response.status >= 500) return { kind: 'away', text: said ?? AWAY.text, retryAfterMs };
  return { kind: 'refused', text: said ?? `The service refused this (${response.status}).`, retryAfterMs };
}

/** Returns a random name, unique in practice. `crypto.randomUUID` is missing in pages over plain HTTP. */
const randomName = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');

const robotPath = (robotId: string): string => `/v1/robots/${encodeURIComponent(robotId)}`;

const mapped = <T>(result: Result<Record<string, unknown>>, map: (body: Record<string, unknown>) => T): Result<T> =>
  result.ok ? { ok: true, value: map(result.value) } : result;

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
