import { vi } from 'vitest';
import { Client, type ConnectOptions, connect } from '../../../src/client/index.ts';
import { createSignedQueue } from '../../../src/runtime/host/signed-queue.ts';
import { createForge } from '../../protocol/helpers/forge.ts';
import { SESSION } from './fake-fetch.ts';
import { doneReply, type FakeCall, FakeRoom, guardReply } from './fake-room.ts';

export const ROOM = SESSION.room_name;

interface World {
  options?: ConnectOptions;
  /** @default the answer of a worker with signed control */
  plain?: (call: FakeCall) => unknown;
  /** @default opens envelopes, as a worker does */
  envelope?: () => unknown;
  /** Answer of the service to a grant order. */
  refuseGrant?: () => { status: number; body: unknown } | null;
  identity?: string;
  /** Grants are issued after it settles. */
  grantAfter?: Promise<void>;
  /** The lifetime of grants in seconds. */
  lifeS?: number;
}

/** A session with a runtime that accepts signed calls only, as a robot has it, and a service that grants them. */
export async function createWorld({
  options = {},
  plain,
  envelope: answerEnvelope,
  refuseGrant,
  identity = 'rcw-r1',
  lifeS = 3_600,
  grantAfter,
}: World = {}) {
  const forge = createForge();
  const carriedOut: {
    method: string;
    name: string;
    actionId: string;
    holder: string | undefined;
    grantId: string | undefined;
  }[] = [];
  const orders: { url: string; body: { public_key: object; holder?: string } }[] = [];
  const clock = { aheadMs: 0 };
  const envelopes: { seq: number; iat: number }[] = [];
  const queue = createSignedQueue({
    trustedKeys: () => forge.trusted,
    robotId: 'r1',
    session: ROOM,
    nowMs: () => Date.now() + clock.aheadMs,
    handle: ({ method, payload, signedBy }, reply) => {
      const { name = '', options: called } = JSON.parse(payload);
      carriedOut.push({ method, name, actionId: called.action_id, holder: signedBy?.holder, grantId: signedBy?.grantId });
      reply(JSON.stringify(doneReply(called.action_id, { is: name })));
    },
  });
  const lose = new Set<number>();
  /** The number of envelopes that find no room. */
  const crowd = { count: 0 };
  /** The number of calls other than poses that arrive behind a later one, at a robot that rejects such calls. */
  const overtake: { count: number; details?: Record<string, unknown> } = { count: 0 };
  /** The promises that envelopes and grants wait for in transit. */
  const hold: { envelope?: Promise<void> | undefined; grant?: Promise<void> | undefined; held: number; answered: number } = {
    held: 0,
    answered: 0,
  };
  const room = new FakeRoom((call) => {
    if (call.method === 'runtime.action') return { reply: guardReply('ACTION_NOT_FOUND') };
    if (call.method !== 'runtime.forward_envelope') {
      const { name, options } = call.payload as { name?: string; options?: { action_id: string } };
      if (name === 'get_state') return { reply: doneReply(options?.action_id ?? '', {}) };
      return { reply: plain?.(call) ?? guardReply('PERMISSION_DENIED') };
    }
    if (answerEnvelope) return { reply: answerEnvelope() };
    const payload = JSON.stringify(call.payload);
    const { envelope } = call.payload as { envelope: string };
    envelopes.push(
      JSON.parse(Buffer.from(Buffer.from(envelope, 'base64').toString().split('.')[1] ?? '', 'base64url').toString()),
    );
    if (lose.delete(envelopes.length)) return { failure: 'lost' };
    if (crowd.count > 0) {
      crowd.count -= 1;
      return { reply: guardReply('NOT_READY', 'No room.', { reason: 'crowded' }) };
    }
    const { payload: sealed } = (envelopes.at(-1) as unknown as { call: { payload: { name: string } } }).call;
    if (overtake.count > 0 && sealed.name !== 'set_upper_body') {
      overtake.count -= 1;
      return { reply: guardReply('ENVELOPE_OUT_OF_ORDER', 'Out of order.', overtake.details) };
    }
    const arrive = () =>
      new Promise((resolve) =>
        queue.receive({ requestId: 'r', method: call.method, payload, callerIdentity: 'c', nowMs: 0 }, (text) =>
          resolve(JSON.parse(text)),
        ),
      );
    if (!hold.envelope) return arrive();
    hold.held += 1;
    return hold.envelope.then(arrive).finally(() => {
      hold.answered += 1;
    });
  });
  room.present = [identity];
  const fetch = async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const url = String(input);
    if (!url.endsWith('/control-grant')) return Response.json(SESSION);
    const body = JSON.parse(String(init.body));
    orders.push({ url, body });
    await (hold.grant ?? grantAfter);
    const refusal = refuseGrant?.();
    if (refusal) return Response.json(refusal.body, { status: refusal.status });
    const iat = Date.now() / 1000;
    const jti = `grant-${orders.length}`;
    const grant = forge.grant({
      jti,
      sub: body.holder ?? 'client',
      robot_id: 'r1',
      session: ROOM,
      cnf: { jwk: body.public_key },
      iat,
      exp: iat + lifeS,
    });
    return Response.json({
      grant,
      grant_id: jti,
      robot_id: 'r1',
      session: ROOM,
      expires_at: new Date((iat + lifeS) * 1000).toISOString(),
    });
  };
  const warnings: string[] = [];
  const logger = { debug: () => {}, warn: (text: string) => void warnings.push(text) };
  const client = new Client({ apiKey: 'sk_live_test', rcsUrl: 'http://rcs.test/rcs', fetch, logger });
  const session = await connect(client, 'r1', {
    workerNames: [],
    transport: async () => room,
    rcwIdentityPrefix: identity.split(/[-:]/)[0] ?? '',
    ...options,
  });
  return {
    session,
    room,
    carriedOut,
    orders,
    clock,
    envelopes,
    lose,
    crowd,
    overtake,
    hold,
    warnings,
    passMs: (ms: number) => vi.advanceTimersByTime(ms),
  };
}
