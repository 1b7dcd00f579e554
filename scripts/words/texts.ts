/** The texts of a file that people read: prose of Markdown, comments, and strings of at least three words. */
import { parseSync } from 'vite';
import { lineFinder } from './line-finder.ts';

export interface Text {
  kind: 'comment' | 'string' | 'markdown';
  text: string;
  /** The line on which it begins. */
  line: number;
}

/** A string of fewer words is a name or a key. */
const LEAST_WORDS = 3;
const isSentence = (text: string): boolean => text.trim().split(/\s+/).length >= LEAST_WORDS;

/**
 * Returns the texts of a file.
 * @param file decides by its ending how the source is read: Markdown, TypeScript or Python
 * @throws Error when TypeScript cannot be parsed
 */
export function textsOf(file: string, source: string): Text[] {
  if (file.endsWith('.md')) return [{ kind: 'markdown', text: proseOf(source), line: 1 }];
  const lineAt = lineFinder(source);
  const found = file.endsWith('.py') ? pythonTexts(source) : typescriptTexts(file, source);
  return found.map(({ at, kind, text }) => ({ kind, text, line: lineAt(at) }));
}

/** Blanks blocks of code and comments, so that lines keep their numbers. */
function proseOf(markdown: string): string {
  let fence: string | null = null;
  const lines = markdown.split('\n').map((line) => {
    const [, marks = '', info = ''] = /^\s*(`{3,}|~{3,})(.*)$/.exec(line) ?? [];
    if (fence === null) {
      if (marks !== '') fence = marks;
      return marks === '' ? line : '';
    }
    // A fence ends with at least as many of the same marks, and nothing behind them.
    if (marks.startsWith(fence) && info.trim() === '') fence = null;
    return '';
  });
  return lines.join('\n').replaceAll(/<!--[\s\S]*?-->/g, (comment) => comment.replaceAll(/[^\n]/g, ''));
}

interface Found {
  at: number;
  kind: Text['kind'];
  text: string;
}

function typescriptTexts(file: string, source: string): Found[] {
  const { program, comments, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0]?.message}`);
  const found: Found[] = [];
  let lastEnd = 0;
  for (const { type, start, end, value } of comments) {
    const last = found.at(-1);
    const text = value.replaceAll(/^[ \t]*\*+ ?/gm, '');
    // A line of `//` directly below another one continues its sentence.
    if (type === 'Line' && last && /^\n[ \t]*$/.test(source.slice(lastEnd, start))) last.text += `\n${text}`;
    else found.push({ at: start, kind: 'comment', text });
    lastEnd = end;
  }
  collectStrings(program, found);
  return found.filter(({ kind, text }) => kind === 'comment' || isSentence(text));
}

/** Adds literals, parts of templates and the text of elements. Addresses of imports are not sentences and drop out later. */
function collectStrings(node: unknown, found: Found[]): void {
  if (Array.isArray(node)) {
    for (const one of node) collectStrings(one, found);
    return;
  }
  if (node === null || typeof node !== 'object') return;
  const { type, start, value } = node as { type?: string; start?: number; value?: unknown };
  const text = type === 'TemplateElement' ? (value as { raw: string }).raw : value;
  if (['Literal', 'TemplateElement', 'JSXText'].includes(type ?? '') && typeof text === 'string')
    found.push({ at: start ?? 0, kind: 'string', text });
  else for (const child of Object.values(node)) collectStrings(child, found);
}

const PYTHON_TOKEN = /#[^\n]*|[rbfu]*("""[\s\S]*?"""|'''[\s\S]*?'''|"(?:\\[\s\S]|[^"\\\n])*"|'(?:\\[\s\S]|[^'\\\n])*')/gi;

function pythonTexts(source: string): Found[] {
  return [...source.matchAll(PYTHON_TOKEN)].flatMap(({ 0: token, 1: string, index }): Found[] => {
    if (string === undefined) return [{ at: index, kind: 'comment', text: token.replace(/^#+ ?/, '') }];
    const text = string.replaceAll(/^(?:"""|'''|"|')|(?:"""|'''|"|')$/g, '');
    const isDocstring = /^(?:"""|''')/.test(string);
    return isDocstring || isSentence(text) ? [{ at: index, kind: isDocstring ? 'comment' : 'string', text }] : [];
  });
}
