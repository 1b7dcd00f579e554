/**
 * SHA-256 (FIPS 180-4) of a text, at once and in every engine. The browser's own answers later, and only on pages with https; a proof is
 * written and read between two steps.
 */

const FIRST_PRIMES = [2, 3, 5, 7, 11, 13, 17, 19] as const;
const ROUNDS = 64;
const BLOCK_BYTES = 64;

/** Returns the first 32 bits of the fraction of a root, exact for the small numbers here. */
const fractionBits = (root: number): number => ((root - Math.floor(root)) * 0x1_0000_0000) | 0;

const isPrime = (number: number): boolean => {
  for (let divisor = 2; divisor * divisor <= number; divisor += 1) if (number % divisor === 0) return false;
  return true;
};

/** Returns the cube root of a small whole number, to the last bit that the constants need. */
function cubeRoot(value: number): number {
  let root = value / 3;
  for (let turn = 0; turn < 64; turn += 1) root -= (root * root * root - value) / (3 * root * root);
  return root;
}

const START: readonly number[] = FIRST_PRIMES.map((prime) => fractionBits(Math.sqrt(prime)));
const KEYS: readonly number[] = primes(ROUNDS).map((prime) => fractionBits(cubeRoot(prime)));

function primes(count: number): number[] {
  const found: number[] = [];
  for (let number = 2; found.length < count; number += 1) if (isPrime(number)) found.push(number);
  return found;
}

const turned = (word: number, bits: number): number => (word >>> bits) | (word << (32 - bits));

/** Returns the SHA-256 of a text in UTF-8 as 64 lower-case hexadecimal digits; a lone half of a surrogate pair counts as U+FFFD. */
export function sha256OfText(text: string): string {
  const bytes = padded(utf8(text));
  const view = new DataView(bytes.buffer);
  const state = Int32Array.from(START);
  const words = new Int32Array(ROUNDS);
  for (let block = 0; block < bytes.length; block += BLOCK_BYTES) {
    for (let at = 0; at < 16; at += 1) words[at] = view.getInt32(block + 4 * at);
    mix(state, words);
  }
  return [...state].map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('');
}

/** Takes one block, whose sixteen words are the first of `words`, into the state. */
function mix(state: Int32Array, words: Int32Array): void {
  const word = (at: number): number => words[at] ?? 0;
  for (let at = 16; at < ROUNDS; at += 1) {
    const [early, late] = [word(at - 15), word(at - 2)];
    const small = turned(early, 7) ^ turned(early, 18) ^ (early >>> 3);
    const large = turned(late, 17) ^ turned(late, 19) ^ (late >>> 10);
    words[at] = (word(at - 16) + small + word(at - 7) + large) | 0;
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let at = 0; at < ROUNDS; at += 1) {
    const choice = (e & f) ^ (~e & g);
    const first = (h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + choice + (KEYS[at] ?? 0) + word(at)) | 0;
    const majority = (a & b) ^ (a & c) ^ (b & c);
    const second = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + majority) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((sum, at) => {
    state[at] = ((state[at] ?? 0) + sum) | 0;
  });
}

/** Returns the bytes with the end mark, zeros and the length in bits, up to a whole block. */
function padded(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(Math.ceil((bytes.length + 9) / BLOCK_BYTES) * BLOCK_BYTES);
  whole.set(bytes);
  whole[bytes.length] = 0x80;
  const view = new DataView(whole.buffer);
  view.setUint32(whole.length - 8, Math.floor(bytes.length / 0x2000_0000));
  view.setUint32(whole.length - 4, bytes.length << 3);
  return whole;
}

function utf8(text: string): Uint8Array {
  const bytes = new Uint8Array(3 * text.length);
  let length = 0;
  const put = (...values: number[]): void => {
    for (const value of values) bytes[length++] = value;
  };
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0;
    const code = point >= 0xd800 && point < 0xe000 ? 0xfffd : point;
    if (code < 0x80) put(code);
    else if (code < 0x800) put(0xc0 | (code >> 6), 0x80 | (code & 0x3f));
    else if (code < 0x1_0000) put(0xe0 | (code >> 12), 0x80 | ((code >> 6) & 0x3f), 0x80 | (code & 0x3f));
    else put(0xf0 | (code >> 18), 0x80 | ((code >> 12) & 0x3f), 0x80 | ((code >> 6) & 0x3f), 0x80 | (code & 0x3f));
  }
  return bytes.subarray(0, length);
}
