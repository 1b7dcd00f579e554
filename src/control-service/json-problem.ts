/** The problem of a text that should be JSON, and its place. */
export interface JsonProblem {
  /** Both count from 1. */
  line: number;
  column: number;
  /** The rest of a sentence that begins with the place: "… a value is expected". */
  problem: string;
}

/** Deeper than any request needs; far deeper texts would exhaust the stack of code that writes them again. */
export const JSON_DEPTH_MAX = 64;

type Expected = 'value' | 'value or ]' | 'name' | 'name or }' | ':' | ', or end' | 'nothing';

const SPACE = /[ \t\n\r]*/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /-?[A-Za-z]+/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y;

/**
 * Finds what a JSON parser refuses (RFC 8259), and values that would be changed: numbers too large, and nesting too deep. A
 * parser reports neither the place, nor the same in every version.
 */
export function findJsonProblem(text: string): JsonProblem | null {
  const open: ('{' | '[')[] = [];
  let expected: Expected = 'value';
  let at = 0;
  const match = (pattern: RegExp): string | null => {
    pattern.lastIndex = at;
    return pattern.exec(text)?.[0] ?? null;
  };
  const problemAt = (place: number, problem: string): JsonProblem => {
    const before = text.slice(0, place).split('\n');
    return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1, problem };
  };
  const afterValue = (): Expected => (open.length === 0 ? 'nothing' : ', or end');
  for (;;) {
    at += match(SPACE)?.length ?? 0;
    const char = text[at];
    if (char === undefined) return expected === 'nothing' ? null : problemAt(at, 'the text ends too early');
    const takesValue: boolean = expected === 'value' || expected === 'value or ]';
    if (char === '"' && (takesValue || expected === 'name' || expected === 'name or }')) {
      const end = endOfString(text, at);
      if ('problem' in end) return problemAt(end.at, end.problem);
      at = end.at;
      expected = takesValue ? afterValue() : ':';
    } else if (takesValue && (char === '{' || char === '[')) {
      if (open.push(char) > JSON_DEPTH_MAX) return problemAt(at, `the nesting is deeper than ${JSON_DEPTH_MAX}`);
      at += 1;
      expected = char === '{' ? 'name or }' : 'value or ]';
    } else if (
      (char === '}' && open.at(-1) === '{' && (expected === 'name or }' || expected === ', or end')) ||
      (char === ']' && open.at(-1) === '[' && (expected === 'value or ]' || expected === ', or end'))
    ) {
      open.pop();
      at += 1;
      expected = afterValue();
    } else if (char === ':' && expected === ':') {
      at += 1;
      expected = 'value';
    } else if (char === ',' && expected === ', or end') {
      at += 1;
      expected = open.at(-1) === '{' ? 'name' : 'value';
    } else if (takesValue) {
      const word = match(WORD);
      const number = match(NUMBER);
      if (word !== null) {
        if (word !== 'true' && word !== 'false' && word !== 'null')
          return problemAt(at, wrongWord(word) ?? SAYS[expected](open.at(-1)));
        at += word.length;
      } else if (number !== null) {
        if (!Number.isFinite(Number(number))) return problemAt(at, 'there is a number that is too large');
        at += number.length;
      } else return problemAt(at, SAYS[expected](open.at(-1)));
      expected = afterValue();
    } else return problemAt(at, SAYS[expected](open.at(-1)));
  }
}

const SAYS: Record<Expected, (inside: '{' | '[' | undefined) => string> = {
  value: () => 'a value is expected',
  'value or ]': () => 'a value or "]" is expected',
  name: () => 'a name in double quotes is expected',
  'name or }': () => 'a name in double quotes or "}" is expected',
  ':': () => '":" is expected',
  ', or end': (inside) => `"," or "${inside === '{' ? '}' : ']'}" is expected`,
  nothing: () => 'there is something after the end',
};

/** Describes the words of Python and JavaScript for a number that JSON does not have. */
const wrongWord = (word: string): string | null =>
  /^-?(?:NaN|Infinity)$/.test(word) ? `there is ${word}, which is not JSON; send a finite number` : null;

/** Returns the place after the string that begins here, or the problem with it. */
function endOfString(text: string, start: number): { at: number } | { at: number; problem: string } {
  for (let at = start + 1; at < text.length; ) {
    const char = text[at];
    if (char === '"') return { at: at + 1 };
    if (char === '\\') {
      ESCAPE.lastIndex = at;
      const sequence = ESCAPE.exec(text)?.[0];
      if (sequence === undefined) return { at, problem: 'there is an escape that JSON does not have' };
      at += sequence.length;
    } else if (text.charCodeAt(at) < 0x20) return { at, problem: 'there is a control character inside a string; escape it' };
    else at += 1;
  }
  return { at: text.length, problem: 'the text ends inside a string' };
}
