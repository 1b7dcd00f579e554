import { WorldStreamError } from './world-frame.ts';

/** A varint of this many bytes represents every whole number that a double counts exactly. */
const VARINT_MAX_BYTES = 8;
/** Strings are ids and single words. */
const TEXT_MAX_LENGTH = 96;

/** Writes whole numbers and texts one after the other; small numbers take one byte. */
export class ByteWriter {
  #bytes = new Uint8Array(512);
  #length = 0;

  byte(value: number): void {
    if (this.#length === this.#bytes.length) {
      const longer = new Uint8Array(this.#length * 2);
      longer.set(this.#bytes);
      this.#bytes = longer;
    }
    this.#bytes[this.#length] = value;
    this.#length += 1;
  }

  /** @param value a whole number, at least 0 */
  count(value: number): void {
    if (!Number.isSafeInteger(value) || value < 0) throw new WorldStreamError(`${value} is not a count.`);
    let rest = value;
    while (rest >= 0x80) {
      this.byte((rest % 0x80) | 0x80);
      rest = Math.floor(rest / 0x80);
    }
    this.byte(rest);
  }

  /** @param value a whole number of either sign */
  signed(value: number): void {
    this.count(value < 0 ? -2 * value - 1 : 2 * value);
  }

  /** @throws WorldStreamError for a text that is longer than an id */
  text(text: string): void {
    if (text.length > TEXT_MAX_LENGTH) throw new WorldStreamError('An id is too long.');
    this.count(text.length);
    for (let index = 0; index < text.length; index += 1) this.count(text.charCodeAt(index));
  }

  append(bytes: Uint8Array): void {
    for (const byte of bytes) this.byte(byte);
  }

  taken(): Uint8Array<ArrayBuffer> {
    return this.#bytes.slice(0, this.#length);
  }

  /** Returns the bytes with a checksum at their end, without which half a packet may read like a whole one. */
  sealed(): Uint8Array<ArrayBuffer> {
    const sum = sumOf(this.#bytes, this.#length);
    for (const shift of SUM_SHIFTS) this.byte((sum >>> shift) & 0xff);
    return this.taken();
  }
}

/** Number of bytes of a seal. */
export const SEAL_BYTES = 4;
const SUM_SHIFTS = [24, 16, 8, 0];

/** Returns the content of sealed bytes. @throws WorldStreamError if they do not match their seal */
export function unsealed(bytes: Uint8Array): Uint8Array {
  const length = bytes.length - SEAL_BYTES;
  if (length < 0) throw new WorldStreamError('The packet is cut off.');
  const sum = sumOf(bytes, length);
  if (SUM_SHIFTS.some((shift, index) => bytes[length + index] !== ((sum >>> shift) & 0xff)))
    throw new WorldStreamError('The packet was changed on its way.');
  return bytes.subarray(0, length);
}

/** FNV-1a: it detects accidental damage, which is enough because the SFU vouches for the sender of a packet. */
function sumOf(bytes: Uint8Array, length: number): number {
  let sum = 0x811c9dc5;
  for (let index = 0; index < length; index += 1) sum = Math.imul(sum ^ (bytes[index] ?? 0), 0x01000193);
  return sum >>> 0;
}

/** Reads the output of a {@link ByteWriter}. Every method throws a WorldStreamError if the bytes have another content. */
export class ByteReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get left(): number {
    return this.#bytes.length - this.#at;
  }

  byte(): number {
    const byte = this.#bytes[this.#at];
    if (byte === undefined) throw new WorldStreamError('The packet is cut off.');
    this.#at += 1;
    return byte;
  }

  count(): number {
    let value = 0;
    for (let index = 0, weight = 1; index < VARINT_MAX_BYTES; index += 1, weight *= 0x80) {
      const byte = this.byte();
      value += (byte & 0x7f) * weight;
      if (byte < 0x80) {
        if (!Number.isSafeInteger(value)) break;
        return value;
      }
    }
    throw new WorldStreamError('A number is too large.');
  }

  signed(): number {
    const value = this.count();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }

  /** The number of things that follow, each of at least one byte: a number that exceeds the remaining bytes allocates nothing. */
  length(max: number): number {
    const length = this.count();
    if (length > max || length > this.left) throw new WorldStreamError('There are more things than a packet may have.');
    return length;
  }

  text(): string {
    const length = this.length(TEXT_MAX_LENGTH);
    let text = '';
    for (let index = 0; index < length; index += 1) {
      const unit = this.count();
      if (unit > 0xffff) throw new WorldStreamError('A text is malformed.');
      text += String.fromCharCode(unit);
    }
    return text;
  }

  /** The bytes that are left. */
  rest(): Uint8Array {
    const rest = this.#bytes.subarray(this.#at);
    this.#at = this.#bytes.length;
    return rest;
  }
}

/** Returns a text cut to the allowed length, for words that others chose. */
export const fittingText = (text: string): string => text.slice(0, TEXT_MAX_LENGTH);
