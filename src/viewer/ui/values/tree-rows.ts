import { isRecord, type Path, pathText } from '../../../common/schema-texts.ts';

/** One line of a tree of values. */
export interface TreeRow {
  path: Path;
  /** The path as text, which identifies the row and is copied. */
  id: string;
  key: string;
  depth: number;
  value: unknown;
  /** Null for a value without parts. */
  open: boolean | null;
  /** The value on one line; for a branch, its contents. */
  text: string;
}

/**
 * Returns the visible lines of a tree.
 * @param isOpen returns whether a branch is open, by its path
 * @param search keeps only leaves with all of its words in path or value, and their branches; an empty search keeps everything
 */
export function treeRows(value: unknown, isOpen: (id: string, depth: number) => boolean, search = ''): readonly TreeRow[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return partsOf(value).flatMap(([key, part]) => rowsOf(part, [key], isOpen, words));
}

function rowsOf(
  value: unknown,
  path: Path,
  isOpen: (id: string, depth: number) => boolean,
  words: readonly string[],
): readonly TreeRow[] {
  const parts = isLine(value) ? [] : partsOf(value);
  const [id, depth] = [pathText(path), path.length - 1];
  const row = { path, id, key: String(path.at(-1)), depth, value, text: textOf(value) };
  if (parts.length === 0) {
    const text = `${id} ${row.text}`.toLowerCase();
    return words.every((word) => text.includes(word)) ? [{ ...row, open: null }] : [];
  }
  const searching = words.length > 0;
  const open = searching || isOpen(id, depth);
  const inner = open ? parts.flatMap(([key, part]) => rowsOf(part, [...path, key], isOpen, words)) : [];
  return searching && inner.length === 0 ? [] : [{ ...row, open }, ...inner];
}

const partsOf = (value: unknown): readonly (readonly [key: string | number, value: unknown])[] =>
  Array.isArray(value) ? value.map((part, index) => [index, part] as const) : isRecord(value) ? Object.entries(value) : [];

/** Returns whether a value is a short list of numbers. A position is easier to read on one line. */
const isLine = (value: unknown): boolean =>
  Array.isArray(value) && value.length <= 4 && value.every((part) => typeof part === 'number');

function textOf(value: unknown): string {
  if (typeof value === 'number') return numberText(value);
  if (Array.isArray(value)) {
    if (isLine(value)) return value.length === 0 ? 'empty' : value.map(numberText).join(', ');
    return `${value.length} ${value.length === 1 ? 'item' : 'items'}`;
  }
  if (isRecord(value)) {
    const count = Object.keys(value).length;
    return count === 0 ? 'empty' : `${count} ${count === 1 ? 'field' : 'fields'}`;
  }
  return typeof value === 'string' ? value : String(JSON.stringify(value) ?? 'none');
}

/** Formats a number with at most four decimals: the runtime reports no more, and figures keep still. */
const numberText = (value: number): string => String(Number(value.toFixed(4))).replace('-', '\u2212');

/** Returns a value in its copied form: text unchanged, everything else as JSON. */
export const copyText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value, null, 2));
