import { createHmac } from 'node:crypto';
import { createSignedQueue } from '../../../src/runtime/host/signed-queue.ts';
import { seeded } from '../../oracle/chance.ts';
import { base64, createForge, jwsOf, pairOf, ROBOT, SESSION, START_MS } from '../../protocol/helpers/forge.ts';

/** The interval of valid envelopes among them, which show that the handler still accepts those. */
const RIGHT_EVERY = 50;

const CHARACTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_+/=.{}" \u0000é☂😀\ud800'];
const VALUES: unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  1e308,
  2 ** 60,
  '',
  'x',
  '☂\u0000\ud800',
  [],
  {},
  [[[]]],
  '__proto__',
  'runtime.tools_call',
];
const HEADER = { alg: 'EdDSA', typ: 'control-envelope+jwt' };
const REFUSALS = /^ENVELOPE_(?!REPLAYED|OUT_OF_ORDER)|^GRANT_EXPIRED$|^PAYLOAD_TOO_LARGE$/;

/** The result of a fuzz of the handler of signed calls. */
export interface EnvelopeFuzz {
  /** Sentences; empty if every forged envelope was rejected and every valid one accepted. */
  problems: string[];
  /** How often each rejection came. */
  codes: Record<string, number>;
}

const seedBytes = (seed: number): Buffer => {
  const bytes = Buffer.alloc(32);
  bytes.writeUInt32LE(seed >>> 0);
  return bytes;
};

/** Sends this many forged envelopes to a handler, and valid ones among them. */
export async function fuzzEnvelopes(seed: number, count: number): Promise<EnvelopeFuzz> {
  const float = seeded(seed);
  const random = (below: number): number => Math.floor(float() * below);
  const pick = <T>(values: readonly T[]): T => values[random(values.length)] as T;
  const forge = createForge(seed);
  const stranger = pairOf(seedBytes(seed));
  const word = (length: number): string => Array.from({ length }, () => pick(CHARACTERS)).join('');

  function withOther(text: string, at: number, count: number): string {
    const put = pick(CHARACTERS);
    return `${text.slice(0, at)}${put === text[at] ? '' : put}${text.slice(at + count)}`;
  }

  /** Claims or a header with something wrong inserted, which always differs from the original. */
  function spoiled(fields: Record<string, unknown>, names: string[]): Record<string, unknown> {
    const name = pick(names);
    const values = VALUES.filter((value) => JSON.stringify(value) !== JSON.stringify(fields[name]));
    return { ...fields, [name]: pick(name in fields ? [undefined, ...values] : values) };
  }

  const parts = (): [string, string, string] => forge.jws().split('.') as [string, string, string];
  /** Ways to make a payload that must not be carried out. */
  const WAYS: Record<string, () => string> = {
    'a character of the base64': () => {
      const text = forge.envelope();
      return withOther(text, random(text.length), 1);
    },
    'a bit of the JWS': () => {
      const bytes = Buffer.from(forge.jws());
      const at = random(bytes.length);
      bytes[at] = (bytes[at] ?? 0) ^ (1 << random(8));
      return bytes.toString('base64');
    },
    'a bit of the signature': () => {
      const [header, claims, signature] = parts();
      const bytes = Buffer.from(signature, 'base64url');
      const at = random(bytes.length);
      bytes[at] = (bytes[at] ?? 0) ^ (1 << random(8));
      return base64(`${header}.${claims}.${bytes.toString('base64url')}`);
    },
    truncated: () => {
      const text = forge.envelope();
      return text.slice(0, random(text.length));
    },
    doubled: () => forge.envelope() + forge.envelope(),
    'parts of two': () => {
      const [one, other] = [parts(), parts()];
      return base64(
        pick([
          [one[0], one[1], other[2]],
          [one[0], other[1], one[2]],
          [one[1], one[0], one[2]],
          [one[2], one[1], one[0]],
        ]).join('.'),
      );
    },
    'the grant as envelope': () => base64(forge.grant()),
    'algorithm none': () =>
      base64(
        `${Buffer.from('{"alg":"none","typ":"control-envelope+jwt"}').toString('base64url')}.${parts()[1]}.${pick(['', 'AA', parts()[2]])}`,
      ),
    'HS256 with the public key': () => {
      const header = Buffer.from(JSON.stringify({ ...HEADER, alg: 'HS256' })).toString('base64url');
      const input = `${header}.${parts()[1]}`;
      const secret = pick([forge.holder.jwk.x, JSON.stringify(forge.holder.jwk), Buffer.from(forge.holder.jwk.x, 'base64url')]);
      return base64(`${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`);
    },
    'another algorithm': () =>
      forge.envelope({}, { alg: pick(['ES256', 'RS256', 'PS512', 'Ed448', 'eddsa', 'HS512', 'dir', '', 5, null]) }),
    'a header spoiled and signed': () =>
      base64(jwsOf(spoiled(HEADER, ['alg', 'typ', 'crit', 'jwk', 'zip']), forge.claims(), forge.holder.privateKey)),
    'a key of a stranger': () => forge.envelope({}, {}, stranger.privateKey),
    'a grant of a stranger': () =>
      forge.envelope({ grant: forge.grant({ cnf: { jwk: stranger.jwk } }, {}, stranger.privateKey) }, {}, stranger.privateKey),
    'a grant with another key': () => forge.envelope({ grant: forge.grant({ cnf: { jwk: stranger.jwk } }) }),
    'claims spoiled and signed': () =>
      base64(
        jwsOf(
          HEADER,
          spoiled(forge.claims(), ['robot_id', 'session', 'seq', 'iat', 'exp', 'call', 'grant', 'more']),
          forge.holder.privateKey,
        ),
      ),
    'a call spoiled and signed': () =>
      forge.envelope({ call: spoiled({ method: 'runtime.tools_call', payload: {} }, ['method', 'more']) }),
    'a grant spoiled': () =>
      forge.envelope({
        grant: jwsOf(
          { alg: 'EdDSA', typ: 'control-grant+jwt' },
          spoiled({ jti: 'g', sub: 's', robot_id: ROBOT, session: SESSION, cnf: { jwk: forge.holder.jwk }, iat: 1, exp: 2 }, [
            'sub',
            'cnf',
            'jti',
          ]),
          forge.service.privateKey,
        ),
      }),
    'out of time': () => {
      const iat = START_MS / 1000 + pick([-1e9, -60, -10, 10, 60, 1e9]);
      return forge.envelope({ iat, exp: iat + 5 });
    },
    'nested deep': () => base64(jwsOf(HEADER, `{"a":${'['.repeat(1 + random(5_000))}`, forge.holder.privateKey)),
    'nested deep and whole': () => {
      const depth = 1 + random(2_500);
      return base64(jwsOf(HEADER, `{"call":${'['.repeat(depth)}${']'.repeat(depth)}}`, forge.holder.privateKey));
    },
    huge: () => 'A'.repeat(4 * random(6_000)),
    noise: () => word(random(400)),
    'noise in parts': () => base64(`${word(random(40))}.${word(random(40))}.${word(random(40))}`),
  };

  const reached: string[] = [];
  const queue = createSignedQueue({
    trustedKeys: () => forge.trusted,
    robotId: ROBOT,
    session: SESSION,
    nowMs: () => START_MS,
    handle: ({ payload }, reply) => {
      reached.push(payload);
      reply('{"status":"done"}');
    },
  });
  const replies = new Map<string, string[]>();
  const ask = (id: string, payload: string): Promise<void> =>
    new Promise((resolve) => {
      replies.set(id, []);
      queue.receive(
        { requestId: id, method: 'runtime.forward_envelope', payload, callerIdentity: 'fuzz', nowMs: START_MS },
        (text) => {
          replies.get(id)?.push(text);
          resolve();
        },
      );
    });
  const right = (name: string) =>
    JSON.stringify({ envelope: forge.envelope({ call: { method: 'runtime.tools_call', payload: { name } } }) });
  const ways = Object.keys(WAYS);
  const codes: Record<string, number> = {};
  const problems: string[] = [];
  const expected: string[] = [];
  for (let i = 0; i < count; i += 50) {
    const batch: Promise<void>[] = [];
    for (let j = i; j < i + 50; j += 1) {
      const way = ways[j % ways.length] ?? '';
      const envelope = WAYS[way]?.() ?? '';
      // Some requests are also wrong outside the envelope.
      const payload =
        random(40) === 0 ? pick([envelope, `{"envelope":${envelope}}`, '[]', 'null', '']) : JSON.stringify({ envelope });
      batch.push(ask(`${j} ${way}`, payload));
      if (j % RIGHT_EVERY === 0) {
        expected.push(JSON.stringify({ name: `right-${j}` }));
        batch.push(ask(`right ${j}`, right(`right-${j}`)));
      }
    }
    await Promise.all(batch);
  }
  // Every other call in transit would have arrived by this time.
  await ask('last', right('last'));
  const wanted = [...expected, JSON.stringify({ name: 'last' })];
  reached.forEach((payload, index) => {
    if (payload !== wanted[index])
      problems.push(`call ${index} that reached the runtime is ${payload} instead of ${wanted[index]}`);
  });
  if (reached.length !== wanted.length) problems.push(`${reached.length} calls reached the runtime instead of ${wanted.length}`);
  if (replies.size !== count + wanted.length)
    problems.push(`${replies.size} calls were answered instead of ${count + wanted.length}`);
  for (const [id, texts] of replies) {
    if (texts.length !== 1) problems.push(`${id}: ${texts.length} replies`);
    const { status, error } = JSON.parse(texts[0] ?? '') as { status: string; error?: { code: string; message: string } };
    if (/^right|^last/.test(id)) continue;
    const code = error?.code ?? '';
    if (status !== 'failed' || !REFUSALS.test(code)) problems.push(`${id}: answered ${texts[0]}`);
    codes[code] = (codes[code] ?? 0) + 1;
  }
  return { problems, codes };
}
