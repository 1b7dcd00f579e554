/** A robot under faults, called through the SFU's own server API, so that no client participant has to rejoin first. */
import { setTimeout as sleep } from 'node:timers/promises';
import { SignJWT } from 'jose';
import { performRpc } from '../../src/control-service/sfu-rpc.ts';
import { encodeRoomKey } from '../../src/protocol/room/room-key.ts';
import type { FaultSfu } from './fault-sfu.ts';

// biome-ignore lint/suspicious/noExplicitAny: replies are judged field by field.
type Reply = any;

export interface FaultRobot {
  readonly room: string;
  readonly identity: string;
  /** A room key for it, at the address that it uses. @param takenForS how long the SFU accepts it */
  key(sfuUrl: string, takenForS: number): Promise<string>;
  /** One call, without a retry; null if it is not answered in time. */
  ask(method: string, request: object, timeoutMs?: number): Promise<Reply | null>;
  /** Calls a skill repeatedly under one id until it is answered; null if there is no answer within a minute. */
  insist(name: string, input: object, actionId: string): Promise<Reply | null>;
  /** The first time at which a call is answered; `performance.now()`. */
  answeredAtMs(): Promise<number>;
}

/** LiveKit accepts a token for a minute after its end, to allow for clock differences. */
const SFU_LEEWAY_S = 60;
/** So that a robot whose clock is slow accepts it too. */
const BEGUN_BEFORE_S = 3_600;
const ASK_MAX_MS = 2_000;
const PROBE_MAX_MS = 700;
const PROBE_EVERY_MS = 50;
const INSIST_MAX_MS = 60_000;
const AGAIN_AFTER_MS = 100;

export function createFaultRobot(sfu: FaultSfu, robotId: string, room: string): FaultRobot {
  const access = { httpUrl: sfu.httpUrl, participantUrl: sfu.url, apiKey: sfu.apiKey, apiSecret: sfu.apiSecret };
  const identity = `rcw-${robotId}`;
  const ask = async (method: string, request: object, timeoutMs = ASK_MAX_MS): Promise<Reply | null> => {
    const signal = AbortSignal.timeout(timeoutMs);
    const call = { room, identity, method, payload: JSON.stringify(request), timeoutMs, signal };
    return performRpc(access, call).then(JSON.parse, () => null);
  };
  return {
    room,
    identity,
    ask,
    async key(sfuUrl, takenForS) {
      const video = { roomJoin: true, room, canPublishData: true, canPublish: true, canSubscribe: true };
      const nowS = Math.floor(Date.now() / 1_000);
      const token = await new SignJWT({ video })
        .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
        .setIssuer(sfu.apiKey)
        .setSubject(identity)
        .setNotBefore(nowS - BEGUN_BEFORE_S)
        .setExpirationTime(nowS + takenForS - SFU_LEEWAY_S)
        .sign(new TextEncoder().encode(sfu.apiSecret));
      return encodeRoomKey({ sfuUrl, token });
    },
    async insist(name, input, actionId) {
      const untilMs = performance.now() + INSIST_MAX_MS;
      while (performance.now() < untilMs) {
        const reply = await ask('runtime.tools_call', { name, input, options: { action_id: actionId } });
        // A robot that brakes, or whose room was just lost, reports that it accepts nothing yet.
        if (reply && reply.error?.code !== 'NOT_READY') return reply;
        await sleep(AGAIN_AFTER_MS);
      }
      return null;
    },
    answeredAtMs: () =>
      new Promise((resolve) => {
        const untilMs = performance.now() + INSIST_MAX_MS;
        // A lost call must not delay the next one.
        const timer = setInterval(() => {
          if (performance.now() > untilMs) {
            clearInterval(timer);
            resolve(Number.POSITIVE_INFINITY);
          }
          void ask('runtime.state', {}, PROBE_MAX_MS).then((reply) => {
            if (!reply) return;
            clearInterval(timer);
            resolve(performance.now());
          });
        }, PROBE_EVERY_MS);
      }),
  };
}
