/**
 * Takes functions out of a WebAssembly module that nothing calls any more once some of its exports are gone. What stays is not changed by a
 * bit, so it computes what it did. Format: WebAssembly Core Specification 2.0, chapter 5 (https://webassembly.github.io/spec/core/binary/).
 */
import { WasmReader, wasmName, wasmUnsigned } from './wasm-reader.ts';

const SECTION = { imports: 2, globals: 6, exports: 7, start: 8, elements: 9, code: 10 } as const;
const FUNCTION_KIND = 0;
/** No locals, `unreachable`, `end`: the body of a function that is never called. It keeps the numbers of the others. */
const EMPTY_BODY = [0x00, 0x00, 0x0b];

interface Section {
  id: number;
  content: Uint8Array;
}

/**
 * @param wasm a module of WebAssembly 2.0
 * @param keeps whether the export of this name, a function, stays
 * @returns the module without the other exports and without what only they call
 * @throws Error when the module has an instruction or a section that this does not know
 */
export function trimWasm(wasm: Uint8Array, keeps: (exportName: string) => boolean): Uint8Array<ArrayBuffer> {
  const sections = sectionsOf(wasm);
  const contentOf = (id: number): WasmReader =>
    new WasmReader(sections.find((section) => section.id === id)?.content ?? new Uint8Array([0]));
  const imported = importedFunctions(contentOf(SECTION.imports));
  const bodies = vectorOf(contentOf(SECTION.code), (reader) => reader.bytes(reader.unsigned()));
  const exports = vectorOf(contentOf(SECTION.exports), exportOf).filter(
    ({ kind, name }) => kind !== FUNCTION_KIND || keeps(name),
  );

  const reached = new Set<number>();
  const open: number[] = [];
  const reach = (functionIndex: number): void => {
    if (reached.has(functionIndex)) return;
    reached.add(functionIndex);
    open.push(functionIndex);
  };
  for (const { kind, index } of exports) if (kind === FUNCTION_KIND) reach(index);
  for (const { id, content } of sections) {
    if (id === SECTION.start) reach(new WasmReader(content).unsigned());
    if (id === SECTION.elements) elementFunctions(new WasmReader(content), reach);
    if (id === SECTION.globals) vectorOf(new WasmReader(content), (reader) => reader.global(reach));
  }
  for (let index = open.pop(); index !== undefined; index = open.pop()) {
    const body = bodies[index - imported];
    if (body) new WasmReader(body).functionBody(reach);
  }

  const kept = bodies.map((body, index) => (reached.has(index + imported) ? body : Uint8Array.from(EMPTY_BODY)));
  const trimmed = sections.map((section): Section => {
    if (section.id === SECTION.exports)
      return {
        ...section,
        content: vector(exports.map(({ name, kind, index }) => joined([wasmName(name), [kind], wasmUnsigned(index)]))),
      };
    if (section.id === SECTION.code)
      return { ...section, content: vector(kept.map((body) => joined([wasmUnsigned(body.byteLength), body]))) };
    return section;
  });
  return joined([
    wasm.subarray(0, 8),
    ...trimmed.flatMap(({ id, content }) => [[id], wasmUnsigned(content.byteLength), content]),
  ]);
}

function sectionsOf(wasm: Uint8Array): Section[] {
  const reader = new WasmReader(wasm);
  const [magic, version] = [reader.bytes(4), reader.bytes(4)];
  if (String.fromCharCode(...magic) !== '\0asm' || version[0] !== 1)
    throw new Error('This is no WebAssembly module of version 1.');
  const sections: Section[] = [];
  while (!reader.done) {
    const [id = 0] = reader.bytes(1);
    sections.push({ id, content: reader.bytes(reader.unsigned()) });
  }
  return sections;
}

function importedFunctions(reader: WasmReader): number {
  return vectorOf(reader, () => {
    reader.name();
    reader.name();
    return reader.importKind();
  }).filter((kind) => kind === FUNCTION_KIND).length;
}

function exportOf(reader: WasmReader): { name: string; kind: number; index: number } {
  const name = reader.name();
  const [kind = 0] = reader.bytes(1);
  return { name, kind, index: reader.unsigned() };
}

/** Functions in tables: they can be called by their place there. The eight forms are those of section 5.5.12 of the specification. */
function elementFunctions(reader: WasmReader, reach: (functionIndex: number) => void): void {
  vectorOf(reader, () => {
    const flags = reader.unsigned();
    const [isPassive, hasTableOrIsDeclared, hasExpressions] = [flags & 1, flags & 2, flags & 4];
    if (!isPassive) {
      if (hasTableOrIsDeclared) reader.unsigned();
      reader.expression(reach);
    }
    if (isPassive || hasTableOrIsDeclared) reader.bytes(1);
    vectorOf(reader, () => (hasExpressions ? reader.expression(reach) : reach(reader.unsigned())));
  });
}

function vectorOf<T>(reader: WasmReader, read: (reader: WasmReader) => T): T[] {
  return Array.from({ length: reader.unsigned() }, () => read(reader));
}

function vector(items: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  return joined([wasmUnsigned(items.length), ...items]);
}

function joined(parts: readonly (Uint8Array | readonly number[])[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
