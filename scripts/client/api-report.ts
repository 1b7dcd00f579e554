/**
 * The public interface of the client library as text, so that a review shows every change of it. Generated from the declarations
 * that the compiler writes: the exports of `index.d.ts`, in its order, without comments and internal members, then the schemas
 * and types from which those are inferred. (api-extractor includes its own compiler, which does not read these declarations.)
 */
import { dirname, join, normalize } from 'node:path';
import { parseSync } from 'vite';
import { clientDeclarations } from '../declarations.ts';

const NOTE = '// Made by `npm run docs` from the declarations of src/client; do not edit by hand.';
const ENTRY = 'client/index.d.ts';

/** Declarations of one file: text by name, and the sources of its other names. */
interface Unit {
  declared: Map<string, string>;
  imported: Map<string, { path: string; name: string }>;
  exported: { name: string; path: string }[];
}
interface Spanned {
  type: string;
  start: number;
  end: number;
}
type Statement = Spanned & {
  declaration?: (Spanned & { id?: { name: string }; declarations?: { id: { name: string } }[] }) | null;
  id?: { name: string };
  declarations?: { id: { name: string } }[];
  source?: { value: string } | null;
  specifiers?: { local: { name: string }; imported?: { name: string }; exported?: { name: string } }[];
};

export function apiReport(): string {
  const units = new Map([...clientDeclarations()].map(([path, text]) => [path, readUnit(path, text)]));
  const entry = units.get(ENTRY);
  if (!entry) throw new Error(`There is no ${ENTRY}.`);
  const listed = new Set<string>();
  const own = [...entry.declared].map(([name]) => ({ name, path: ENTRY }));
  const roots = [...entry.exported, ...own].sort((a, b) => compare(a.name, b.name));
  const shown = roots.map((root) => declarationOf(root, units, listed));
  const rest: { name: string; text: string }[] = [];
  for (let open = shown; open.length > 0; ) {
    const next = open.flatMap(({ needs }) => needs).filter(({ name, path }) => !listed.has(`${path} ${name}`));
    open = next.map((one) => declarationOf(one, units, listed));
    rest.push(...open);
  }
  const texts = (items: { text: string }[]) => items.map(({ text }) => text).filter((text) => text !== '');
  const behind = texts(rest.sort((a, b) => compare(a.name, b.name)));
  return `${[NOTE, ...texts(shown), '// Behind them, not exported by name', ...behind].join('\n\n')}\n`;
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** The text of one declaration and the names that it uses. */
function declarationOf({ name, path }: { name: string; path: string }, units: Map<string, Unit>, listed: Set<string>) {
  const key = `${path} ${name}`;
  const unit = units.get(path);
  const text = unit?.declared.get(name);
  const again = unit?.imported.get(name);
  if (listed.has(key) || !unit) return { name, text: '', needs: [] };
  listed.add(key);
  if (text === undefined) return { name, text: '', needs: again ? [again] : [] };
  const words = new Set(text.match(/[A-Za-z_$][\w$]*/g));
  const local = [...unit.declared.keys()]
    .filter((other) => other !== name && words.has(other))
    .map((other) => ({ name: other, path }));
  const imported = [...unit.imported].filter(([alias]) => words.has(alias)).map(([, from]) => from);
  return { name, text, needs: [...local, ...imported] };
}

function readUnit(path: string, text: string): Unit {
  const unit: Unit = { declared: new Map(), imported: new Map(), exported: [] };
  const body = parseSync(path, text).program.body as unknown as Statement[];
  for (const statement of body) {
    const from = statement.source?.value;
    const target = from?.startsWith('.') ? normalize(join(dirname(path), from.replace(/\.js$/, '.d.ts'))) : undefined;
    if (target !== undefined) {
      for (const { local, imported, exported } of statement.specifiers ?? []) {
        if (exported) unit.exported.push({ name: local.name, path: target });
        else unit.imported.set(local.name, { path: target, name: imported?.name ?? local.name });
      }
      continue;
    }
    const declaration = statement.declaration ?? statement;
    const names = declaration.id ? [declaration.id.name] : (declaration.declarations ?? []).map(({ id }) => id.name);
    const source = bare(text.slice(statement.start, statement.end));
    for (const name of names) unit.declared.set(name, unit.declared.has(name) ? `${unit.declared.get(name)}\n${source}` : source);
  }
  return unit;
}

/** Without comments, texts for people, and members that are internal or private. */
function bare(declaration: string): string {
  return declaration
    .replaceAll(/\/\*\*(?:(?!\*\/)[\s\S])*@internal(?:(?!\*\/)[\s\S])*\*\/\s*[^\n]*\n/g, '')
    .replaceAll(/^\s*(?:#private|private [^\n]*|readonly (?:summary|remedy): [^\n]*);\n/gm, '')
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/[ \t]+$/gm, '')
    .replaceAll(/\n{2,}/g, '\n')
    .trim();
}
