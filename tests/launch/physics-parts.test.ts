import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { keepsPhysicsExport, makePageEngine, WHOLE_ENGINE_FILE } from '../../scripts/vite/physics-parts.ts';
import { exportsNamedIn, trimPhysicsScript } from '../../scripts/vite/physics-script.ts';
import { trimWasm } from '../../scripts/vite/wasm-trim.ts';

const whole = readFileSync(WHOLE_ENGINE_FILE);
let engine: Uint8Array<ArrayBuffer>;
beforeAll(() => {
  engine = makePageEngine();
});

const exportsOf = (wasm: Uint8Array<ArrayBuffer>): string[] =>
  WebAssembly.Module.exports(new WebAssembly.Module(wasm)).map(({ name }) => name);

test('a module that loses no export stays the same to the byte', () => {
  expect(
    Buffer.compare(
      trimWasm(whole, () => true),
      whole,
    ),
  ).toBe(0);
});

test('the engine of the page is a valid module, a sixth smaller, with nothing of the parts that are left out', () => {
  const [left, all] = [exportsOf(engine), exportsOf(new Uint8Array(whole))];
  expect(left.filter((name) => !all.includes(name) || !keepsPhysicsExport(name))).toEqual([]);
  expect(engine.byteLength).toBeLessThan(whole.byteLength * 0.84);
});

test('what a program names, the engine has for it, and for no other', () => {
  const folder = mkdtempSync(join(tmpdir(), 'simplesim-words-'));
  try {
    writeFileSync(join(folder, 'asks.ts'), 'export const asks = (body: Body) => body.effectiveWorldInvInertia();');
    expect(exportsOf(makePageEngine([folder]))).toContain('rawrigidbodyset_rbEffectiveWorldInvInertia');
    expect(exportsOf(engine)).not.toContain('rawrigidbodyset_rbEffectiveWorldInvInertia');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

const SCRIPT = `class Raw{constructor(){this.p=wasm.rawa_new()}__wrap(){}free(){}set x(v){wasm.rawa_set_x(v)}get x(){return wasm.rawa_x()}
one(){return wasm.rawa_one(()=>this.two())}two(){wasm.rawa_two()}three(){wasm.rawa_three()}}
class Shown{constructor(){this.raw=new Raw}shown(){return this.raw.one()}}
const finish=(raw)=>raw.free();`;

test.each([
  ['no word of ours', [], ['rawa_new']],
  ['a method, what it calls, and what that calls in turn', ['shown'], ['rawa_new', 'rawa_one', 'rawa_two']],
  ['getter and setter', ['x'], ['rawa_new', 'rawa_set_x', 'rawa_x']],
])('of a script it keeps, by %s, what is reached from there', (_what, words, names) => {
  const trimmed = trimPhysicsScript(SCRIPT, words);
  expect([...exportsNamedIn(trimmed)].sort()).toEqual(names);
  expect(trimmed).toContain('__wrap(){}free(){}');
  expect(() => new Function(trimmed)).not.toThrow();
});

test.each([
  'rawshape_trimesh',
  'rawsoftbodybuilder_new',
  'rawkinematiccharactercontroller_new',
  'rawbroadphase_castRay',
])('the engine of the page has no %s', (name) => {
  expect(exportsOf(new Uint8Array(whole))).toContain(name);
  expect(exportsOf(engine)).not.toContain(name);
});

/** Functions: 0 adds one, 1 calls 0, 2 is in the table, 3 is called by nobody but its export. */
const SMALL = Uint8Array.from([
  ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
  ...[1, 6, 1, 0x60, 1, 0x7f, 1, 0x7f],
  ...[3, 5, 4, 0, 0, 0, 0],
  ...[4, 4, 1, 0x70, 0, 1],
  ...[7, 16, 3, 4, ...Buffer.from('call'), 0, 1, 1, ...Buffer.from('t'), 1, 0, 1, ...Buffer.from('x'), 0, 3],
  ...[9, 7, 1, 0, 0x41, 0, 0x0b, 1, 2],
  ...[
    10, 28, 4, 7, 0, 0x20, 0, 0x41, 1, 0x6a, 0x0b, 6, 0, 0x20, 0, 0x10, 0, 0x0b, 5, 0, 0x20, 0, 0x45, 0x0b, 5, 0, 0x20, 0, 0x68,
    0x0b,
  ],
]);

test('what an export calls and what stands in a table stay; what nothing calls is emptied', async () => {
  const trimmed = trimWasm(SMALL, (name) => name === 'call');
  const { instance } = await WebAssembly.instantiate(trimmed);
  const { call, t } = instance.exports as { call: (value: number) => number; t: WebAssembly.Table };
  expect(call(41)).toBe(42);
  expect((t.get(0) as (value: number) => number)(0)).toBe(1);
  expect(exportsOf(trimmed)).toEqual(['call', 't']);
  expect(trimmed.byteLength).toBeLessThan(SMALL.byteLength);
});

test('a module that is cut short, or is none, is refused', () => {
  expect(() => trimWasm(SMALL.subarray(0, 60), () => true)).toThrow('ends in the middle');
  expect(() => trimWasm(new Uint8Array(20), () => true)).toThrow('no WebAssembly module');
});

test('an instruction that is not known is refused by its number, and never guessed', () => {
  const strange = Uint8Array.from(SMALL);
  strange[strange.lastIndexOf(0x68)] = 0xff;
  expect(() => trimWasm(strange, () => true)).toThrow('not known here: 0xff');
});

test('several processes that need the file at once all get it whole, and older ones go', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'simplesim-engine-'));
  try {
    mkdirSync(join(dir, 'older'));
    const module = pathToFileURL(join(import.meta.dirname, '../../scripts/vite/physics-parts.ts')).href;
    const program = `import(${JSON.stringify(module)}).then((parts) => console.log(parts.pageEngineFile([], ${JSON.stringify(dir)})))`;
    const asked = Array.from({ length: 4 }, () => promisify(execFile)(process.execPath, ['--import', 'tsx', '-e', program]));
    const files = new Set((await Promise.all(asked)).map(({ stdout }) => stdout.trim()));
    expect(files.size).toBe(1);
    for (const file of files) expect(Buffer.compare(readFileSync(file), engine)).toBe(0);
    expect(readdirSync(dir, { recursive: true })).toHaveLength(2);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
});
