/**
 * Rapier's JavaScript without the methods that nothing here names. It has a method for each of the engine's 850 functions, and another
 * that calls it; we name a third of them.
 */
import { parseAst } from 'vite';

interface Node {
  type: string;
  start: number;
  end: number;
}

interface Method {
  name: string;
  isConstructor: boolean;
  start: number;
  end: number;
  /** Every name in its body. */
  names: ReadonlySet<string>;
}

/** The functions of the engine, as its JavaScript names them. */
const EXPORTS = /\braw[a-z0-9]+_\w+/g;
const WORDS = /[A-Za-z_$][\w$]*/g;

/** Every word of a program, also of its comments: more than the names of what it calls. */
export const wordsOf = (program: string): string[] => program.match(WORDS) ?? [];

/** The functions of the engine that a text of JavaScript names. */
export const exportsNamedIn = (script: string): Set<string> => new Set(script.match(EXPORTS));

/**
 * Keeps of a module's methods those of a given name, then those that the kept ones name, until there are no more. A method that is
 * called by a computed name would be lost; neither Rapier nor we do that. Constructors stay, and what Rapier's own bookkeeping calls.
 * @param words all names in the programs that use it
 */
export function trimPhysicsScript(script: string, words: Iterable<string>): string {
  const program = parseAst(script) as unknown as Node;
  const methods = methodsOf(program);
  const names = new Set(words);
  for (const name of namesOutside(program, methods)) names.add(name);
  const isNamed = ({ name, isConstructor }: Method): boolean => isConstructor || name.startsWith('__') || names.has(name);
  const gone = new Set(methods);
  for (let before = -1; before !== gone.size; ) {
    before = gone.size;
    for (const method of gone) {
      if (!isNamed(method)) continue;
      gone.delete(method);
      for (const name of method.names) names.add(name);
    }
  }
  const parts: string[] = [];
  let at = 0;
  for (const method of methods) {
    if (method.start < at) throw new Error('A class stands in a method, which scripts/vite/physics-script.ts does not know.');
    parts.push(script.slice(at, gone.has(method) ? method.start : method.end));
    at = method.end;
  }
  return parts.join('') + script.slice(at);
}

/** Every method, getter and setter of every class, in the order of the text. */
function methodsOf(program: Node): Method[] {
  const methods: Method[] = [];
  for (const node of nodesIn(program)) {
    if (node.type !== 'ClassBody') continue;
    for (const member of (node as Node & { body: Node[] }).body) {
      if (member.type !== 'MethodDefinition') continue;
      const { key, kind, value, start, end } = member as Node & { key: Node & { name?: string }; kind: string; value: Node };
      const names = new Set<string>();
      for (const { name } of identifiersIn(value)) names.add(name);
      methods.push({ name: key.name ?? '', isConstructor: kind === 'constructor', start, end, names });
    }
  }
  return methods.sort((a, b) => a.start - b.start);
}

/** Every name that stands in no method. */
function* namesOutside(program: Node, methods: readonly Method[]): Generator<string> {
  let next = 0;
  for (const { name, start } of [...identifiersIn(program)].sort((a, b) => a.start - b.start)) {
    while ((methods[next]?.end ?? Number.POSITIVE_INFINITY) <= start) next += 1;
    if (start < (methods[next]?.start ?? Number.POSITIVE_INFINITY)) yield name;
  }
}

function* identifiersIn(value: unknown): Generator<Node & { name: string }> {
  for (const node of nodesIn(value)) if (node.type === 'Identifier') yield node as Node & { name: string };
}

function* nodesIn(value: unknown): Generator<Node> {
  if (typeof value !== 'object' || value === null) return;
  if ('type' in value && typeof value.type === 'string') yield value as Node;
  for (const inner of Object.values(value)) yield* nodesIn(inner);
}
