import { lineFinder } from './line-finder.ts';
import { WORD_PATTERNS } from './patterns.ts';
import { type Text, textsOf } from './texts.ts';

export interface Finding {
  /** The name of the pattern. */
  name: string;
  line: number;
  found: string;
  instead: string;
}

/** How many findings each file may have, by file and by the name of the pattern. A file that is not listed may have none. */
export type Allowed = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** Returns the expressions of a file that have a plainer form. Code in backquotes is left out. */
export function findingsIn(file: string, source: string): Finding[] {
  return textsOf(file, source)
    .flatMap((text) => findingsOf(text))
    .sort((a, b) => a.line - b.line);
}

function findingsOf({ kind, text, line }: Text): Finding[] {
  // Code keeps its length, and a line its number.
  const words = text.replaceAll(/`[^`\n]+`/g, (code) => '`'.repeat(code.length));
  const lineAt = lineFinder(words);
  return WORD_PATTERNS.filter(({ only }) => only === undefined || only.includes(kind)).flatMap(({ name, pattern, instead }) =>
    [...words.matchAll(pattern)].map(({ 0: found, index }) => ({
      name,
      line: line + lineAt(index) - 1,
      found: found.slice(0, 60),
      instead,
    })),
  );
}

/** Returns how many findings there are, by the name of the pattern. */
export function countsOf(findings: readonly Finding[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { name } of findings) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

/** Returns a sentence for each finding of a pattern that a file has more often than it may. */
export function problemsIn(file: string, findings: readonly Finding[], allowed: Allowed): string[] {
  const counts = countsOf(findings);
  return findings
    .filter(({ name }) => (counts[name] ?? 0) > (allowed[file]?.[name] ?? 0))
    .map(({ name, line, found, instead }) => {
      const most = allowed[file]?.[name] ?? 0;
      const limit = most === 0 ? '' : ` (${counts[name]} in this file, ${most} allowed)`;
      return `${file}:${line}: "${found}"${limit}. Write: ${instead}.`;
    });
}

/**
 * Returns a sentence for each file that may have more findings than it has: what is fixed stays fixed.
 * @param counts of all files, by file and by the name of the pattern
 */
export function looseAllowances(counts: Allowed, allowed: Allowed): string[] {
  return Object.entries(allowed).flatMap(([file, most]) =>
    Object.entries(most)
      .filter(([name, count]) => count > (counts[file]?.[name] ?? 0))
      .map(
        ([name, count]) =>
          `scripts/words/allowed.json allows ${count} times "${name}" in ${file}, which has ${counts[file]?.[name] ?? 0}. Run: npm run words -- --write`,
      ),
  );
}
