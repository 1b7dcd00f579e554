/** Signed control by Node's own cryptography and nothing of ours: JWS by hand (RFC 7515), Ed25519 (RFC 8037). */
import { createPrivateKey, generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto';

const base64url = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A signer with a key and a grant for it. */
export class Signer {
  readonly publicJwk: object;
  readonly #privateKey: KeyObject;
  #grant = '';
  #robotId = '';
  #session = '';
  #sequence = 0;

  constructor() {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    this.#privateKey = createPrivateKey(privateKey.export({ type: 'pkcs8', format: 'pem' }));
    this.publicJwk = publicKey.export({ format: 'jwk' });
  }

  /** Asks the control service for a grant. @param rcsUrl library face, without `/v1` */
  async askForGrant(rcsUrl: string, apiKey: string, robotId: string): Promise<void> {
    const reply = await fetch(`${rcsUrl}/v1/robots/${robotId}/session/control-grant`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ public_key: this.publicJwk, holder: 'tester' }),
    });
    if (!reply.ok) throw new Error(`no grant: ${reply.status} ${await reply.text()}`);
    const { grant, robot_id: granted, session } = (await reply.json()) as { grant: string; robot_id: string; session: string };
    [this.#grant, this.#robotId, this.#session] = [grant, granted, session];
  }

  /** The request of `runtime.forward_envelope` around a skill. @param changes claims to be otherwise */
  seal(name: string, input: unknown, changes: Record<string, unknown> = {}): { envelope: string } {
    this.#sequence += 1;
    const nowS = Date.now() / 1000;
    const claims = {
      robot_id: this.#robotId,
      session: this.#session,
      seq: this.#sequence,
      iat: nowS,
      exp: nowS + 5,
      call: { method: 'runtime.tools_call', payload: { name, input, options: { action_id: randomUUID() } } },
      grant: this.#grant,
      ...changes,
    };
    const signed = `${base64url({ alg: 'EdDSA', typ: 'control-envelope+jwt' })}.${base64url(claims)}`;
    const jws = `${signed}.${sign(null, Buffer.from(signed), this.#privateKey).toString('base64url')}`;
    return { envelope: Buffer.from(jws).toString('base64') };
  }
}
