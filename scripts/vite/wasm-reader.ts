/** Reads the binary format of WebAssembly as far as one needs it to find which functions a function calls. */

const BLOCK_END = 0x0b;
const OPENS_BLOCK = new Set([0x02, 0x03, 0x04]);

/** Instructions of one byte, each with what follows it. Ranges are inclusive. Source: section 5.4 of the specification. */
const OPERANDS: readonly [first: number, last: number, operands: readonly Operand[]][] = [
  [0x00, 0x01, []],
  [0x02, 0x04, ['signed']], // A block's type: a value type, none, or the index of a type.
  [0x05, 0x05, []],
  [0x0b, 0x0b, []],
  [0x0c, 0x0d, ['unsigned']],
  [0x0e, 0x0e, ['indices', 'unsigned']],
  [0x0f, 0x0f, []],
  [0x10, 0x10, ['function']],
  [0x11, 0x11, ['unsigned', 'unsigned']],
  [0x12, 0x12, ['function']],
  [0x13, 0x13, ['unsigned', 'unsigned']],
  [0x1a, 0x1b, []],
  [0x1c, 0x1c, ['indices']],
  [0x20, 0x26, ['unsigned']],
  [0x28, 0x3e, ['memory']],
  [0x3f, 0x40, ['unsigned']],
  [0x41, 0x42, ['signed']],
  [0x43, 0x43, ['4 bytes']],
  [0x44, 0x44, ['8 bytes']],
  [0x45, 0xc4, []],
  [0xd0, 0xd0, ['signed']],
  [0xd1, 0xd1, []],
  [0xd2, 0xd2, ['function']],
];

/** Those after the byte 0xfc: conversions that saturate, memories and tables as wholes. */
const WHOLE_OPERANDS: typeof OPERANDS = [
  [0, 7, []],
  [8, 8, ['unsigned', 'unsigned']],
  [9, 9, ['unsigned']],
  [10, 10, ['unsigned', 'unsigned']],
  [11, 11, ['unsigned']],
  [12, 12, ['unsigned', 'unsigned']],
  [13, 13, ['unsigned']],
  [14, 14, ['unsigned', 'unsigned']],
  [15, 17, ['unsigned']],
];

/** Those after the byte 0xfd: vectors of 128 bits. */
const VECTOR_OPERANDS: typeof OPERANDS = [
  [0, 11, ['memory']],
  [12, 13, ['8 bytes', '8 bytes']],
  [14, 20, []],
  [21, 34, ['byte']],
  [35, 83, []],
  [84, 91, ['memory', 'byte']],
  [92, 93, ['memory']],
  [94, 275, []],
];

type Operand = 'unsigned' | 'signed' | 'function' | 'indices' | 'memory' | 'byte' | '4 bytes' | '8 bytes';

export class WasmReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get done(): boolean {
    return this.#at >= this.#bytes.byteLength;
  }

  /** The next so many bytes, as a view. @throws Error when the module ends before */
  bytes(count: number): Uint8Array {
    const end = this.#at + count;
    if (end > this.#bytes.byteLength) throw new Error('The WebAssembly module ends in the middle.');
    const found = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return found;
  }

  /** A number of the form LEB128, at most 64 bits; exact up to 2^53. */
  unsigned(): number {
    let value = 0;
    for (let scale = 1; ; scale *= 0x80) {
      const byte = this.#byte();
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
    }
  }

  name(): string {
    return new TextDecoder().decode(this.bytes(this.unsigned()));
  }

  /** Reads the kind of an import, past its description. */
  importKind(): number {
    const kind = this.#byte();
    if (kind === 1) this.#byte();
    if (kind === 0 || kind === 4) this.bytes(kind === 4 ? 1 : 0);
    if (kind === 0 || kind === 4) this.unsigned();
    if (kind === 1 || kind === 2) this.#limits();
    if (kind === 3) this.bytes(2);
    return kind;
  }

  global(reach: (functionIndex: number) => void): void {
    this.bytes(2);
    this.expression(reach);
  }

  /** A function's locals and code. @param reach is told each function that it calls or names */
  functionBody(reach: (functionIndex: number) => void): void {
    for (let groups = this.unsigned(); groups > 0; groups -= 1) {
      this.unsigned();
      this.bytes(1);
    }
    this.expression(reach);
    if (!this.done) throw new Error('A function of the WebAssembly module goes on after its end.');
  }

  /** Instructions up to the `end` that belongs to their beginning. */
  expression(reach: (functionIndex: number) => void): void {
    for (let depth = 1; depth > 0; ) {
      const opcode = this.#byte();
      if (opcode === BLOCK_END) depth -= 1;
      if (OPENS_BLOCK.has(opcode)) depth += 1;
      if (opcode === 0xfc) this.#operands(WHOLE_OPERANDS, this.unsigned(), reach);
      else if (opcode === 0xfd) this.#operands(VECTOR_OPERANDS, this.unsigned(), reach);
      else this.#operands(OPERANDS, opcode, reach);
    }
  }

  #operands(table: typeof OPERANDS, opcode: number, reach: (functionIndex: number) => void): void {
    const row = table.find(([first, last]) => first <= opcode && opcode <= last);
    if (!row) throw new Error(`The WebAssembly module has an instruction that is not known here: 0x${opcode.toString(16)}.`);
    for (const operand of row[2]) this.#operand(operand, reach);
  }

  #operand(operand: Operand, reach: (functionIndex: number) => void): void {
    if (operand === 'function') reach(this.unsigned());
    else if (operand === 'unsigned' || operand === 'signed') this.#skipNumber();
    else if (operand === 'indices') for (let count = this.unsigned(); count > 0; count -= 1) this.#skipNumber();
    else if (operand === 'memory') this.#memoryPlace();
    else this.bytes(operand === 'byte' ? 1 : operand === '4 bytes' ? 4 : 8);
  }

  /** Alignment and offset; bit 6 of the alignment says that the number of a memory stands between them. */
  #memoryPlace(): void {
    if (this.unsigned() & 0x40) this.#skipNumber();
    this.#skipNumber();
  }

  #limits(): void {
    if (this.#byte() & 1) this.unsigned();
    this.unsigned();
  }

  #skipNumber(): void {
    while (this.#byte() >= 0x80);
  }

  #byte(): number {
    const byte = this.#bytes[this.#at];
    if (byte === undefined) throw new Error('The WebAssembly module ends in the middle.');
    this.#at += 1;
    return byte;
  }
}

/** A number in the form LEB128. */
export function wasmUnsigned(value: number): number[] {
  const bytes: number[] = [];
  for (let rest = value; ; rest = Math.floor(rest / 0x80)) {
    if (rest < 0x80) return [...bytes, rest];
    bytes.push((rest % 0x80) | 0x80);
  }
}

export function wasmName(name: string): Uint8Array {
  const bytes = new TextEncoder().encode(name);
  return Uint8Array.from([...wasmUnsigned(bytes.byteLength), ...bytes]);
}
