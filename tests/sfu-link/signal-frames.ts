/** Changes the messages of a WebSocket connection in transit; implements the necessary part of RFC 6455. */

/** Changes one binary message; null drops it. */
export type ChangeMessage = (message: Uint8Array) => Uint8Array | null;

const END_OF_HEAD = Buffer.from('\r\n\r\n');
const CONTINUATION = 0;
const BINARY = 2;
const FIRST_CONTROL = 8;

/**
 * One direction of a connection that begins as HTTP. If its head is that of a WebSocket, frames follow; otherwise all
 * data passes unchanged.
 * @param masked whether the frames are masked, as those of a client must be
 * @returns a function that takes bytes as they arrive, and returns the bytes to forward
 */
export function createFrameChanger({ change, masked }: { change: ChangeMessage; masked: boolean }): (bytes: Buffer) => Buffer {
  let mode: 'head' | 'frames' | 'raw' = 'head';
  let pending: Buffer = Buffer.alloc(0);
  let parts: Buffer[] = [];
  let opcodeOfParts = BINARY;

  function takeHead(): Buffer {
    const end = pending.indexOf(END_OF_HEAD);
    if (end < 0) return Buffer.alloc(0);
    const lines = pending.subarray(0, end).toString('latin1').split('\r\n');
    mode = lines.some((line) => /^upgrade:\s*websocket/i.test(line)) ? 'frames' : 'raw';
    pending = pending.subarray(end + END_OF_HEAD.length);
    // Prevents compression, so that messages can be read.
    const kept = lines.filter((line) => !/^sec-websocket-extensions:/i.test(line));
    return Buffer.from(`${kept.join('\r\n')}\r\n\r\n`, 'latin1');
  }

  function takeFrames(): Buffer[] {
    const out: Buffer[] = [];
    for (;;) {
      const frame = readFrame(pending);
      if (!frame) return out;
      pending = pending.subarray(frame.length);
      if (frame.opcode >= FIRST_CONTROL) {
        out.push(writeFrame(frame.opcode, frame.payload, masked));
        continue;
      }
      if (frame.opcode !== CONTINUATION) opcodeOfParts = frame.opcode;
      parts.push(frame.payload);
      if (!frame.isLast) continue;
      const message = Buffer.concat(parts);
      parts = [];
      const changed = opcodeOfParts === BINARY ? change(message) : message;
      if (changed) out.push(writeFrame(opcodeOfParts, changed, masked));
    }
  }

  function takeBody(): Buffer[] {
    if (mode === 'frames') return takeFrames();
    const rest = mode === 'raw' ? [pending] : [];
    if (mode === 'raw') pending = Buffer.alloc(0);
    return rest;
  }

  return (bytes) => {
    if (mode === 'raw') return bytes;
    pending = Buffer.concat([pending, bytes]);
    const head = mode === 'head' ? takeHead() : Buffer.alloc(0);
    return Buffer.concat([head, ...takeBody()]);
  };
}

interface Frame {
  /** Bytes of the whole frame. */
  length: number;
  isLast: boolean;
  opcode: number;
  payload: Buffer;
}

/** Returns the first frame in these bytes, unmasked, or null while it is incomplete. */
function readFrame(bytes: Buffer): Frame | null {
  if (bytes.length < 2) return null;
  const short = bytes.readUInt8(1) & 0x7f;
  const lengthBytes = short === 126 ? 2 : short === 127 ? 8 : 0;
  const maskBytes = bytes.readUInt8(1) & 0x80 ? 4 : 0;
  const headLength = 2 + lengthBytes + maskBytes;
  if (bytes.length < headLength) return null;
  const payloadLength = lengthBytes === 2 ? bytes.readUInt16BE(2) : lengthBytes === 8 ? Number(bytes.readBigUInt64BE(2)) : short;
  if (bytes.length < headLength + payloadLength) return null;
  const payload = Buffer.from(bytes.subarray(headLength, headLength + payloadLength));
  if (maskBytes > 0) {
    const mask = bytes.subarray(2 + lengthBytes, headLength);
    for (let at = 0; at < payload.length; at += 1) payload[at] = (payload[at] ?? 0) ^ (mask[at % 4] ?? 0);
  }
  const first = bytes.readUInt8(0);
  return { length: headLength + payloadLength, isLast: (first & 0x80) !== 0, opcode: first & 0x0f, payload };
}

/** Returns a whole message in one frame. A mask of zeros is valid and changes nothing. */
function writeFrame(opcode: number, payload: Uint8Array, masked: boolean): Buffer {
  const size = payload.length;
  const lengthBytes = size < 126 ? 0 : size < 65_536 ? 2 : 8;
  const head = Buffer.alloc(2 + lengthBytes + (masked ? 4 : 0));
  head.writeUInt8(0x80 | opcode, 0);
  head.writeUInt8((lengthBytes === 0 ? size : lengthBytes === 2 ? 126 : 127) | (masked ? 0x80 : 0), 1);
  if (lengthBytes === 2) head.writeUInt16BE(size, 2);
  if (lengthBytes === 8) head.writeBigUInt64BE(BigInt(size), 2);
  return Buffer.concat([head, payload]);
}

/** Returns a binary message as a client sends it, for a WebSocket that gets extra frames between its own. */
export const writeMessage = (message: Uint8Array): Buffer => writeFrame(BINARY, message, true);
