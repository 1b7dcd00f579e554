/**
 * Where a text stops being JSON (RFC 8259), for people who write files by hand. Parsers report the place in different forms, or
 * not at all.
 */
export interface JsonPlace {
  /** Both count from 1. */
  line: number;
  column: number;
  /** A description of the fault there: "a value is expected". */
  problem: string;
}

const BLANKS = /[ \t\r\n]*/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON has them only escaped.
const STRING_START = /"[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[\da-fA-F]{4})[^"\\\u0000-\u001f]*)*/y;
const OTHER_VALUE = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y;

type Wanted = 'value' | 'value or ]' | 'name' | 'name or }' | ':' | ', or ]' | ', or }' | 'end';

const PROBLEMS: Readonly<Record<Wanted, string>> = {
  value: 'a value is expected',
  'value or ]': 'a value or "]" is expected',
  name: 'a name in double quotes is expected',
  'name or }': 'a name in double quotes or "}" is expected',
  ':': '":" is expected',
  ', or ]': '"," or "]" is expected',
  ', or }': '"," or "}" is expected',
  end: 'there is something after the end',
};

/**
 * Returns the first place at which a text is not JSON; null when it is JSON. Takes one pass. A byte order mark at its start
 * counts as a blank.
 */
export function whereNoJson(text: string): JsonPlace | null {
  let at = text.startsWith('\ufeff') ? 1 : 0;
  const open: ('[' | '{')[] = [];
  let wanted: Wanted = 'value';
  const problemAt = (offset: number, problem: string): JsonPlace => {
    const before = text.slice(0, offset);
    const lineStart = before.lastIndexOf('\n') + 1;
    return { line: before.split('\n').length, column: offset - lineStart + 1, problem };
  };
  const skip = (pattern: RegExp): boolean => {
    pattern.lastIndex = at;
    const isThere = pattern.test(text);
    if (isThere) at = pattern.lastIndex;
    return isThere;
  };
  const afterValue = (): Wanted => {
    const inside = open.at(-1);
    return inside === undefined ? 'end' : inside === '[' ? ', or ]' : ', or }';
  };
  for (;;) {
    skip(BLANKS);
    const sign = text[at];
    if (sign === undefined) return wanted === 'end' ? null : problemAt(at, 'the text ends too early');
    const isName: boolean = wanted === 'name' || wanted === 'name or }';
    const isValue: boolean = wanted === 'value' || wanted === 'value or ]';
    if (
      (sign === ']' && (wanted === 'value or ]' || wanted === ', or ]')) ||
      (sign === '}' && (wanted === 'name or }' || wanted === ', or }'))
    ) {
      at += 1;
      open.pop();
      wanted = afterValue();
    } else if (sign === ',' && (wanted === ', or ]' || wanted === ', or }')) {
      at += 1;
      wanted = wanted === ', or ]' ? 'value' : 'name';
    } else if (sign === ':' && wanted === ':') {
      at += 1;
      wanted = 'value';
    } else if (sign === '"' && (isName || isValue)) {
      skip(STRING_START);
      if (text[at] !== '"')
        return problemAt(at, at >= text.length ? 'a string does not end' : 'a string holds a sign that must be escaped');
      at += 1;
      wanted = isName ? ':' : afterValue();
    } else if ((sign === '{' || sign === '[') && isValue) {
      at += 1;
      open.push(sign);
      wanted = sign === '{' ? 'name or }' : 'value or ]';
    } else if (isValue && skip(OTHER_VALUE)) wanted = afterValue();
    else return problemAt(at, PROBLEMS[wanted]);
  }
}

/**
 * Describes the fault of a text that is not JSON, after "is not JSON: "; for valid JSON, reports that the text cannot be read.
 */
export function noJsonText(text: string): string {
  const place = whereNoJson(text);
  return place === null ? 'it cannot be read' : `line ${place.line}, column ${place.column}: ${place.problem}`;
}
