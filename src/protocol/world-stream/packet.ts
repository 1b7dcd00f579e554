import { ByteReader, ByteWriter, SEAL_BYTES, unsealed } from './bytes.ts';
import { PACKET_MAX_BYTES, PARTS_MAX, type WorldPacket, WorldStreamError, WorldVersionError } from './world-frame.ts';

/**
 * Another version has other packets or another layout; its watchers see a notice about the version instead of a wrong picture. 2:
 * who drives. 3: things of other shapes.
 */
export const WORLD_VERSION = 3;
const KEY = 0;
const CHANGE = 1;
/** The header of the largest numbers, and the seal. */
const HEADER_MAX_BYTES = 48 + SEAL_BYTES;

/** The head of a packet. */
export interface PacketHead {
  /** One run of a runtime; drawn by chance. */
  streamId: number;
  /** Packets of the stream before this one. */
  packet: number;
  /** The time of the state, by the runtime's clock: milliseconds since the epoch. */
  stepTimeMs: number;
  /** The key state that this packet is, or changes. */
  key: number;
}

/**
 * A key state, or a part of one that is too long for a packet. A count at the front of its bytes separates `names` from numbers.
 */
export interface KeyPacket extends PacketHead {
  kind: 'key';
  part: number;
  parts: number;
  bytes: Uint8Array;
}

/** The changes since a key state. It depends on that key state and on no other packet. */
export interface ChangePacket extends PacketHead {
  kind: 'change';
  bytes: Uint8Array;
}

/** Packs a key state. @returns its parts, to be sent in this order; `packet` counts up from one to the next */
export function packKey(head: PacketHead, names: Uint8Array, numbers: readonly number[]): WorldPacket[] {
  const body = new ByteWriter();
  body.count(names.length);
  body.append(names);
  for (const number of numbers) body.signed(number);
  const bytes = body.taken();
  const partBytes = PACKET_MAX_BYTES - HEADER_MAX_BYTES;
  const parts = Math.max(1, Math.ceil(bytes.length / partBytes));
  if (parts > PARTS_MAX) throw new WorldStreamError('The world is too large to be shown.');
  return Array.from({ length: parts }, (_, part) => {
    const packet = headed(KEY, { ...head, packet: head.packet + part });
    packet.count(part);
    packet.count(parts);
    packet.append(bytes.subarray(part * partBytes, (part + 1) * partBytes));
    return packet.sealed();
  });
}

/** Packs a change. @returns null if it is too long for one packet; a key state is then shorter */
export function packChange(head: PacketHead, from: readonly number[], to: readonly number[]): WorldPacket | null {
  const packet = headed(CHANGE, head);
  let same = 0;
  for (const [index, number] of to.entries()) {
    const difference = number - (from[index] ?? 0);
    if (difference === 0) {
      same += 1;
      continue;
    }
    packet.count(same);
    packet.signed(difference);
    same = 0;
  }
  const bytes = packet.sealed();
  return bytes.length <= PACKET_MAX_BYTES ? bytes : null;
}

/** Reads a packet's head and leaves its content. @throws WorldStreamError */
export function unpack(bytes: Uint8Array): KeyPacket | ChangePacket {
  if (bytes.length > PACKET_MAX_BYTES) throw new WorldStreamError('The packet is too long.');
  const reader = new ByteReader(unsealed(bytes));
  const version = reader.byte();
  if (version !== WORLD_VERSION) throw new WorldVersionError(version);
  const kind = reader.byte();
  const head = { streamId: reader.count(), packet: reader.count(), stepTimeMs: reader.count(), key: reader.count() };
  if (kind === CHANGE) return { ...head, kind: 'change', bytes: reader.rest() };
  if (kind !== KEY) throw new WorldStreamError('The kind of the packet is unknown.');
  const [part, parts] = [reader.count(), reader.count()];
  if (parts > PARTS_MAX || part >= parts) throw new WorldStreamError('A key state has fewer parts.');
  return { ...head, kind: 'key', part, parts, bytes: reader.rest() };
}

/** Reads the content of a whole key state: its names, and the numbers behind them, still as bytes. @throws WorldStreamError */
export function readKey(bytes: Uint8Array): { names: Uint8Array; numbers: ByteReader } {
  const reader = new ByteReader(bytes);
  const length = reader.length(bytes.length);
  const rest = reader.rest();
  return { names: rest.subarray(0, length), numbers: new ByteReader(rest.subarray(length)) };
}

/** Returns the numbers of a key state. @throws WorldStreamError when there are not as many */
export function readNumbers(reader: ByteReader, count: number): number[] {
  // Each takes at least one byte, so a count that exceeds the remaining bytes allocates nothing.
  if (count > reader.left) throw new WorldStreamError('There are not as many numbers as things.');
  const numbers = Array.from({ length: count }, () => reader.signed());
  if (reader.left > 0) throw new WorldStreamError('There are more numbers than things.');
  return numbers;
}

/**
 * Returns the numbers of a key state with a change applied. @throws WorldStreamError if it changes a number that does not exist
 */
export function withChange(from: readonly number[], change: Uint8Array): number[] {
  const numbers = [...from];
  const reader = new ByteReader(change);
  let at = 0;
  while (reader.left > 0) {
    at += reader.count();
    const before = numbers[at];
    if (before === undefined) throw new WorldStreamError('A number changes that is not there.');
    numbers[at] = before + reader.signed();
    at += 1;
  }
  return numbers;
}

function headed(kind: number, { streamId, packet, stepTimeMs, key }: PacketHead): ByteWriter {
  const writer = new ByteWriter();
  writer.byte(WORLD_VERSION);
  writer.byte(kind);
  for (const number of [streamId, packet, stepTimeMs, key]) writer.count(number);
  return writer;
}
