/**
 * Finds public names of the client library without a docstring: the exports of its entries, and each member of its classes and
 * interfaces. It reads the declarations that the compiler writes, because editors show them.
 */
import { dirname, join, normalize } from 'node:path';
import { parseSync } from 'vite';
import { CLIENT_ENTRIES, clientDeclarations } from '../declarations.ts';

/** A node of the parser's tree, with the fields that are read here. */
interface Node {
  type: string;
  start: number;
  end: number;
  [field: string]: unknown;
}

/** Returns one sentence for each public name without a docstring; an empty list if all have one. */
export function undocumentedNames(declarations = clientDeclarations()): string[] {
  const files = new Map([...declarations].map(([path, text]) => [path, readFile(path, text)]));
  const roots = CLIENT_ENTRIES.flatMap((name) => files.get(`client/${name}.d.ts`)?.exported ?? []);
  const problems = roots.flatMap(({ name, path }) => files.get(path)?.bare.get(name) ?? []);
  // An interface of the library that no entry exports may still be part of an exported one.
  const own = [...files].filter(([path]) => /^client\/[^/]+$/.test(path)).flatMap(([, { bare }]) => [...bare.values()].flat());
  return [...new Set([...problems, ...own])].sort();
}

/** The names that a file re-exports, and its own declarations with the sentences about each one's missing docstrings. */
function readFile(path: string, text: string) {
  const { program, comments } = parseSync(path, text);
  const docEnds = new Map(
    comments.flatMap(({ value, end, start }) => (value.startsWith('*') ? [[end, text.slice(start, end)]] : [])),
  );
  /** Returns the docstring right before a node. */
  const docOf = ({ start }: Node): string | undefined => docEnds.get(text.slice(0, start).trimEnd().length);
  const exported: { name: string; path: string }[] = [];
  const bare = new Map<string, string[]>();
  for (const statement of program.body as unknown as Node[]) {
    const source = (statement.source as { value: string } | null | undefined)?.value;
    if (source !== undefined) {
      const target = normalize(join(dirname(path), source.replace(/\.js$/, '.d.ts')));
      if (statement.type !== 'ExportNamedDeclaration') continue;
      for (const { local } of statement.specifiers as { local: { name: string } }[])
        exported.push({ name: local.name, path: target });
      continue;
    }
    const declaration = (statement.declaration as Node | null | undefined) ?? statement;
    const variables = (declaration.declarations as Node[] | undefined) ?? [declaration];
    for (const variable of variables) {
      const name = (variable.id as { name?: string } | null | undefined)?.name;
      if (name === undefined) continue;
      const isDocumented = docOf(statement) !== undefined || bare.has(name);
      const own = isDocumented ? [] : [`${path}: ${name} has no docstring`];
      bare.set(name, [...(bare.get(name) ?? []), ...own, ...membersOf(declaration).flatMap((member) => missingIn(member, name))]);
      if (statement.type === 'ExportNamedDeclaration') exported.push({ name, path });
    }
  }

  /** Returns the sentences about a member, and about the members of its object type. */
  function missingIn(member: Node, owner: string): string[] {
    const doc = docOf(member);
    if (doc?.includes('@internal')) return [];
    const key = member.key as Node | undefined;
    if (key?.type === 'PrivateIdentifier' || member.accessibility === 'private') return [];
    const name = key === undefined ? member.type : text.slice(key.start, key.end);
    const own = doc === undefined ? [`${path}: ${owner}.${name} has no docstring`] : [];
    const type = (member.typeAnnotation as { typeAnnotation?: Node } | undefined)?.typeAnnotation;
    const inner = type?.type === 'TSTypeLiteral' ? (type.members as Node[]) : [];
    return [...own, ...inner.flatMap((each) => missingIn(each, `${owner}.${name}`))];
  }

  return { exported, bare };
}

/** Returns the members of a class, an interface or an object type; an empty list for anything else. */
function membersOf(declaration: Node): Node[] {
  if (declaration.type === 'ClassDeclaration' || declaration.type === 'TSInterfaceDeclaration')
    return (declaration.body as { body: Node[] }).body;
  const type = declaration.typeAnnotation as Node | undefined;
  return declaration.type === 'TSTypeAliasDeclaration' && type?.type === 'TSTypeLiteral' ? (type.members as Node[]) : [];
}
