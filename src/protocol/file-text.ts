import { utf8Bytes } from './json.ts';
import { noJsonWords } from './json-place.ts';
import { SCENE_LIMITS } from './scene-limits.ts';
import type { SceneProblem } from './scene-outcome.ts';
import { type Path, pathText } from './schema-words.ts';
import { shownId } from './shown-text.ts';

const problem = (path: Path, reason: string): SceneProblem => ({ path: shownId(pathText(path)), reason });

/**
 * Reads the text of a file that people write, a scene or a task, as JSON, after one pass that says what `JSON.parse` does not: it is too large or too deep, or names a
 * property twice, of which a reader would silently take one. Never throws.
 */
export function parseFileText(text: string): { ok: true; value: unknown } | { ok: false; problem: SceneProblem } {
  const { bytes: most } = SCENE_LIMITS;
  // A text has at least as many bytes as UTF-16 units, so a huge one is not read.
  if (text.length > most || utf8Bytes(text) > most)
    return { ok: false, problem: problem([], `is larger than ${most} bytes; leave things out, or make several scenes.`) };
  const found = new TextScan(text).problem();
  if (found !== null) return { ok: false, problem: found };
  try {
    return { ok: true, value: JSON.parse(text.startsWith('\ufeff') ? text.slice(1) : text) };
  } catch {
    return { ok: false, problem: problem([], `is not JSON: ${noJsonWords(text)}.`) };
  }
}

/** An open list or object. */
interface Frame {
  /** The names that were there; null for a list. */
  names: Set<string> | null;
  /** The name or index of the value that comes next or stands there. */
  key: string | number;
  awaitsName: boolean;
}

/** Walks over a text that may be JSON. What is no JSON at all is left to `JSON.parse`. */
class TextScan {
  readonly #text: string;
  readonly #open: Frame[] = [];
  #at = 0;
  #values = 1;

  constructor(text: string) {
    this.#text = text;
  }

  problem(): SceneProblem | null {
    for (; this.#at < this.#text.length; this.#at += 1) {
      const found = this.#look(this.#text[this.#at] ?? '');
      if (found !== null) return found;
      if (this.#values > SCENE_LIMITS.values) return problem([], `has more than ${SCENE_LIMITS.values} values.`);
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
        if (this.#open.length <= SCENE_LIMITS.depth) return null;
        return problem(
          this.#path(SCENE_LIMITS.depth),
          `is nested deeper than ${SCENE_LIMITS.depth} levels; a scene needs no more.`,
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
    // Readers of JSON do not agree about this name.
    if (name === '__proto__') return problem(this.#path(), 'is no property of anything here; leave it out.');
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
