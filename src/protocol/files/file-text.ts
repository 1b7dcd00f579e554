import { noJsonText } from '../../common/json-place.ts';
import { type Path, pathText } from '../../common/schema-texts.ts';
import { shownId } from '../../common/shown-text.ts';
import { utf8Bytes } from '../wire/json.ts';
import type { SceneProblem } from '../wire/scene-outcome.ts';

const problem = (path: Path, reason: string): SceneProblem => ({ path: shownId(pathText(path)), reason });

/** The limits for the text of a file: its size, its number of values, and how deep they may be nested. */
export interface FileLimits {
  bytes: number;
  values: number;
  depth: number;
}

/**
 * Reads the text of a scene or task file, which people write, as JSON. One pass before that reports what `JSON.parse` does not: a
 * text that is too large or too deep, or a property that occurs twice, of which a reader would silently keep one. Never throws.
 */
export function parseFileText(
  text: string,
  limits: FileLimits,
): { ok: true; value: unknown } | { ok: false; problem: SceneProblem } {
  const { bytes: most } = limits;
  // A text has at least as many bytes as UTF-16 units, so a text with too many units is not encoded.
  if (text.length > most || utf8Bytes(text) > most)
    return { ok: false, problem: problem([], `is larger than ${most} bytes; leave things out, or make several files.`) };
  const found = new TextScan(text, limits).problem();
  if (found !== null) return { ok: false, problem: found };
  try {
    return { ok: true, value: JSON.parse(text.startsWith('\ufeff') ? text.slice(1) : text) };
  } catch {
    return { ok: false, problem: problem([], `is not JSON: ${noJsonText(text)}.`) };
  }
}

/** An open list or object. */
interface Frame {
  /** The names that occurred; null for a list. */
  names: Set<string> | null;
  /** The name or index of the present or next value. */
  key: string | number;
  awaitsName: boolean;
}

/** Walks over a text that may be JSON. Leaves a text that is not JSON to `JSON.parse`. */
class TextScan {
  readonly #text: string;
  readonly #limits: FileLimits;
  readonly #open: Frame[] = [];
  #at = 0;
  #values = 1;

  constructor(text: string, limits: FileLimits) {
    this.#text = text;
    this.#limits = limits;
  }

  problem(): SceneProblem | null {
    for (; this.#at < this.#text.length; this.#at += 1) {
      const found = this.#look(this.#text[this.#at] ?? '');
      if (found !== null) return found;
      if (this.#values > this.#limits.values) return problem([], `has more than ${this.#limits.values} values.`);
    }
    return null;
  }

  #look(sign: string): SceneProblem | null {
    const frame = this.#open.at(-1);
    switch (sign) {
      case '"':
        return this.#string(frame);
      case '{':
      case '[':
        this.#values += 1;
        this.#open.push(
          sign === '{' ? { names: new Set(), key: '', awaitsName: true } : { names: null, key: 0, awaitsName: false },
        );
        if (this.#open.length <= this.#limits.depth) return null;
        return problem(
          this.#path(this.#limits.depth),
          `is nested deeper than ${this.#limits.depth} levels; no such file needs more.`,
        );
      case '}':
      case ']':
        this.#open.pop();
        return null;
      case ',':
        this.#values += 1;
        if (frame?.names) frame.awaitsName = true;
        else if (frame) frame.key = Number(frame.key) + 1;
        return null;
      default:
        return null;
    }
  }

  #string(frame: Frame | undefined): SceneProblem | null {
    const start = this.#at;
    for (this.#at += 1; this.#at < this.#text.length && this.#text[this.#at] !== '"'; this.#at += 1)
      if (this.#text[this.#at] === '\\') this.#at += 1;
    if (!frame?.names || !frame.awaitsName) return null;
    frame.awaitsName = false;
    const name = nameIn(this.#text.slice(start, this.#at + 1));
    if (name === null) return null;
    frame.key = name;
    if (frame.names.has(name)) return problem(this.#path(), 'is there twice; keep one of them.');
    frame.names.add(name);
    // Readers of JSON treat this name differently.
    if (name === '__proto__') return problem(this.#path(), 'is not a property of anything here; leave it out.');
    return null;
  }

  #path(most = this.#open.length): Path {
    return this.#open.slice(0, most).map(({ key }) => key);
  }
}

function nameIn(literal: string): string | null {
  try {
    return JSON.parse(literal) as string;
  } catch {
    return null;
  }
}
