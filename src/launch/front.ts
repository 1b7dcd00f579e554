import { type Context, Hono } from 'hono';
import { isRecord } from '../common/schema-texts.ts';
import type { MetricsAccess } from '../control-service/app.ts';
import { readAs, readJsonBody } from '../control-service/request-reading.ts';
import { ServiceError } from '../control-service/service-error.ts';
import { HOLDER_PATH, type HolderAnswer, type HolderQuestion, holderQuestionSchema } from '../protocol/room/holder-question.ts';
import { COME_BACK_PATH } from '../protocol/service/come-back.ts';
import type { ErrorBody } from '../protocol/service/face-answers.ts';
import { LAN_PATH, type LanAnswer } from '../protocol/service/lan.ts';
import { LINK_PRESS_PATH, type LinkPressAsked, linkPressSchema } from '../protocol/service/link-press.ts';
import { ROBOTS_OPEN_PATH } from '../protocol/service/robots-page.ts';
import { SERVICE_ERRORS } from '../protocol/service/service-errors.ts';
import { WATCH_PATH, type WatchAsked, type WatchReply, watchQuestionSchema } from '../protocol/service/watch-exchange.ts';
import type { EmergencyStopResult } from '../protocol/wire/emergency-stop.ts';
import type { Health } from './health.ts';
import { isFromOwnPage } from './own-page.ts';

/** The application behind a port. It answers as soon as the port is open; its parts are added later. */
export interface Front {
  readonly app: Hono<FrontEnv>;
  open(behind: Behind): void;
  /** Whether the control service answers. */
  isOpen(): boolean;
}

interface FrontEnv {
  Bindings: { requestId: string };
}

export interface Behind {
  /** The control service. */
  service: { fetch(request: Request, env: { requestId: string }): Response | Promise<Response> };
  /**
   * Returns a new room key for the participant that was the robot until its session ended; null for any other. Absent if the
   * platform has no robot of its own.
   */
  keyToComeBack?: (token: string) => Promise<string | null>;
  /** Returns which participant is the robot of a token; null for a token that is for no robot of this platform. */
  whoIsHolder?: (asked: HolderQuestion) => Promise<HolderAnswer | null>;
  /** Gives the page of a visitor's link its own token; null for a token that is not a visitor's of this platform. */
  placeToWatch?: (asked: WatchAsked) => Promise<WatchReply>;
  /** Presses the emergency stop of the robot of an operator's link; null for a token that gives no right to it. */
  pressByLink?: (asked: LinkPressAsked) => Promise<EmergencyStopResult | null>;
  /** Returns an API key for a one-time code, which is then used up; null for any other. Absent if there are no such codes. */
  keyForCode?: (code: string) => string | null;
  /** The address at which a phone reaches the page. Absent if this program does not decide it. */
  lan?: LanAnswer;
  /** Pages next to it; null if there are none. */
  page?: (c: Context) => Promise<Response | null>;
}

const SERVICE_PATHS = ['/v1/*', '/rcs/*', '/mcp', '/mcp/*', '/openapi.json', '/docs', '/docs/*', '/metrics'];
/** Paths of the control service, of its answers to pages and of health, which no other handler may inspect. */
export const SERVICE_PATH = /^\/(?:v1|rcs|mcp|seat|watch|robots\/open|healthz|openapi\.json|docs|metrics)(?:[/?]|$)/;

const NO_PLACE: WatchReply = { watch: null };
const NOT_STORED = { 'Cache-Control': 'no-store' };

/**
 * `/healthz` with the state of every part, the control service at its paths, pages elsewhere; 503 for all except health while it
 * starts.
 */
export function createFront(health: Health): Front {
  let behind: Behind | null = null;
  const app = new Hono<FrontEnv>();
  app.get('/healthz', async (c) => {
    const { ok, parts } = await health.check();
    return c.json({ status: ok ? 'ok' : 'unavailable', parts }, ok ? 200 : 503, { 'Cache-Control': 'no-store' });
  });
  // For the page of this platform: before a browser sends JSON for a page of another site, it asks by a preflight, which is
  // denied. A missing item is not an HTTP error, because a browser would log that in every visitor's console.
  app.post(COME_BACK_PATH, (c) => {
    const { keyToComeBack } = behind ?? {};
    return answerPage(c, keyToComeBack, async (asked) => {
      const { token } = asked as { token?: unknown };
      return { room_key: typeof token === 'string' ? await keyToComeBack?.(token) : null };
    });
  });
  app.post(HOLDER_PATH, (c) => {
    const { whoIsHolder } = behind ?? {};
    return answerPage(c, whoIsHolder, async (asked) => ({ seat: await whoIsHolder?.(readAs(holderQuestionSchema, asked)) }));
  });
  app.post(WATCH_PATH, (c) => {
    const { placeToWatch } = behind ?? {};
    return answerPage(c, placeToWatch, async (asked) => (await placeToWatch?.(readAs(watchQuestionSchema, asked))) ?? NO_PLACE);
  });
  app.post(LINK_PRESS_PATH, (c) => {
    const { pressByLink } = behind ?? {};
    return answerPage(c, pressByLink, async (asked) => ({ stop: await pressByLink?.(readAs(linkPressSchema, asked)) }));
  });
  app.post(ROBOTS_OPEN_PATH, (c) => {
    const { keyForCode } = behind ?? {};
    return answerPage(c, keyForCode, async (asked) => {
      // If a code reaches the wrong page, it stays valid, so that its owner may still open theirs.
      if (!isFromOwnPage(c)) throw ServiceError.notServed(c.req.method, c.req.path);
      const code = isRecord(asked) ? asked.code : null;
      return { api_key: typeof code === 'string' ? (keyForCode?.(code) ?? null) : null };
    });
  });
  /** Answers the page's JSON with JSON. If the platform has no such answer, responds as the control service does. */
  async function answerPage(c: Context<FrontEnv>, part: unknown, answer: (asked: unknown) => Promise<object>): Promise<Response> {
    if (behind === null) return starting(c);
    if (!part) return serve(c);
    try {
      return c.json(await answer(await readJsonBody(c.req.raw)), 200, NOT_STORED);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      const { code, message, status } = error;
      return c.json({ code, message, details: { request_id: c.env.requestId } } satisfies ErrorBody, status, NOT_STORED);
    }
  }
  app.get(LAN_PATH, (c, next) => (behind?.lan ? c.json(behind.lan, 200, NOT_STORED) : next()));
  const serve = (c: Context<FrontEnv>) => behind?.service.fetch(c.req.raw, c.env) ?? starting(c);
  for (const path of SERVICE_PATHS) app.all(path, serve);
  app.get('*', async (c) => {
    if (behind === null) return starting(c);
    // The service rejects other paths with its own text.
    return (await behind.page?.(c)) ?? serve(c);
  });
  app.all('*', serve);
  return {
    app,
    open: (parts) => {
      behind = parts;
    },
    isOpen: () => behind !== null,
  };
}

/** Returns the readers of `/metrics`: holders of the token in the setting SIMPLESIM_METRICS_TOKEN, if it is set. */
export function readMetricsAccess(env: NodeJS.ProcessEnv, withoutToken: 'nobody' | 'anybody'): MetricsAccess {
  const token = env.SIMPLESIM_METRICS_TOKEN;
  if (token === undefined || token === '') return withoutToken;
  if (!/^[\x21-\x7e]{16,512}$/.test(token)) {
    throw new Error('SIMPLESIM_METRICS_TOKEN must be 16 to 512 visible ASCII characters without spaces. Change it, or unset it.');
  }
  return { token };
}

function starting(c: Context<FrontEnv>): Response {
  const { status, summary, remedy } = SERVICE_ERRORS['service.starting'];
  const body: ErrorBody = {
    code: 'service.starting',
    message: `${summary} ${remedy}`,
    details: { request_id: c.env.requestId },
  };
  return c.json(body, status, { 'Retry-After': '1', 'Cache-Control': 'no-store' });
}
