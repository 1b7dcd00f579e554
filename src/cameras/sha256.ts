/** SHA-256 of some bytes as lower-case hex. Uses the platform's where there is one: pages without https or localhost have none. */
export async function sha256Hex(bytes: Uint8Array): Promise<string> {
  const subtle = globalThis.crypto?.subtle as SubtleCrypto | undefined;
  const digest = subtle ? new Uint8Array(await subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>)) : sha256(bytes);
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** First 32 bits of the fractional part of a root: where the standard's constants come from. */
const rootBits = (n: number, root: number): number => {
  const value = n ** (1 / root);
  return Math.floor((value - Math.floor(value)) * 2 ** 32) >>> 0;
};
const PRIMES = (() => {
  const found: number[] = [];
  for (let n = 2; found.length < 64; n++) if (found.every((prime) => n % prime !== 0)) found.push(n);
  return found;
})();
const ROUND_CONSTANTS = Uint32Array.from(PRIMES, (prime) => rootBits(prime, 3));

const rotateRight = (word: number, by: number): number => (word >>> by) | (word << (32 - by));

/** SHA-256 after FIPS 180-4, for where the platform offers none. */
export function sha256(bytes: Uint8Array): Uint8Array {
  const hash = Uint32Array.from(PRIMES.slice(0, 8), (prime) => rootBits(prime, 2));
  const padded = new Uint8Array(Math.ceil((bytes.length + 9) / 64) * 64);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor((bytes.length * 8) / 2 ** 32));
  view.setUint32(padded.length - 4, (bytes.length * 8) >>> 0);
  const words = new Uint32Array(64);
  const at = (array: Uint32Array, k: number): number => array[k] ?? 0;
  for (let offset = 0; offset < padded.length; offset += 64) {
    for (let k = 0; k < 16; k++) words[k] = view.getUint32(offset + 4 * k);
    for (let k = 16; k < 64; k++) {
      const [w15, w2] = [at(words, k - 15), at(words, k - 2)];
      const s0 = rotateRight(w15, 7) ^ rotateRight(w15, 18) ^ (w15 >>> 3);
      const s1 = rotateRight(w2, 17) ^ rotateRight(w2, 19) ^ (w2 >>> 10);
      words[k] = at(words, k - 16) + s0 + at(words, k - 7) + s1;
    }
    let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = hash;
    for (let k = 0; k < 64; k++) {
      const sum1 = rotateRight(e, 6) ^ rotateRight(e, 11) ^ rotateRight(e, 25);
      const choice = (e & f) ^ (~e & g);
      const t1 = (h + sum1 + choice + at(ROUND_CONSTANTS, k) + at(words, k)) | 0;
      const sum0 = rotateRight(a, 2) ^ rotateRight(a, 13) ^ rotateRight(a, 22);
      const majority = (a & b) ^ (a & c) ^ (b & c);
      const t2 = (sum0 + majority) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + t1) | 0, c, b, a, (t1 + t2) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((word, k) => {
      hash[k] = at(hash, k) + word;
    });
  }
  const out = new Uint8Array(32);
  hash.forEach((word, k) => {
    new DataView(out.buffer).setUint32(4 * k, word);
  });
  return out;
}
