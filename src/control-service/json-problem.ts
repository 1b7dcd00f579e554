import { type ParseErrorCode, printParseErrorCode, visit } from 'jsonc-parser';

/** The problem of a text that should be JSON, and its place. */
export interface JsonProblem {
  /** Both count from 1. */
  line: number;
  column: number;
  /** The end of a sentence that begins with the place: "… a value is expected". */
  problem: string;
}

/** Deeper than any request needs. Much deeper texts would exhaust the stack of code that serializes them again. */
export const JSON_DEPTH_MAX = 64;

/** The names in Python and JavaScript for numbers that JSON does not have. */
const NOT_FINITE = /-?(?:NaN|Infinity)\b/y;

/** Ends the visit, because the problem is found. */
class Found extends Error {}

/**
 * Finds what `JSON.parse` rejects (RFC 8259), and values that would be changed: too large numbers, and too deep nesting.
 * `JSON.parse` does not report the place, and its messages differ between versions, so another parser finds the place.
 */
export function findJsonProblem(text: string): JsonProblem | null {
  const isJson = parses(text);
  const open: ('{' | '[')[] = [];
  let found: JsonProblem | null = null;
  const reject = (problem: string, line: number, character: number): never => {
    found = { line: line + 1, column: character + 1, problem };
    throw new Found();
  };
  const enter = (bracket: '{' | '[') => (_offset: number, _length: number, line: number, character: number) => {
    if (open.push(bracket) > JSON_DEPTH_MAX) reject(`the nesting is deeper than ${JSON_DEPTH_MAX}`, line, character);
  };
  const leave = (): void => void open.pop();
  try {
    visit(
      text,
      {
        onObjectBegin: enter('{'),
        onArrayBegin: enter('['),
        onObjectEnd: leave,
        onArrayEnd: leave,
        onLiteralValue: (value: unknown, _offset, _length, line, character) => {
          if (value === Infinity || value === -Infinity) reject('there is a number that is too large', line, character);
        },
        onError: (code, offset, _length, line, character) => {
          if (!isJson) reject(problemOf(code, text, offset, open.at(-1)), line, character);
        },
      },
      { disallowComments: true },
    );
  } catch (error) {
    if (!(error instanceof Found)) throw error;
  }
  return found ?? (isJson ? null : { line: 1, column: 1, problem: 'a JSON text is expected' });
}

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The error in the text that begins at the place, by the parser's name for it. */
const WRONG: Record<string, string> = {
  InvalidCommentToken: 'there is a comment, which JSON does not have',
  UnexpectedEndOfString: 'a string begins that does not end in its line',
  InvalidEscapeCharacter: 'a string begins with an escape in it that JSON does not have',
  InvalidUnicode: 'a string begins with an escape in it that JSON does not have',
  InvalidCharacter: 'a string begins with a control character in it; escape it',
  UnexpectedEndOfNumber: 'a number begins that is not complete',
  InvalidNumberFormat: 'a number begins that is not complete',
  EndOfFileExpected: 'there is something after the end',
};

/** The text that is expected at the place, by the parser's name for its absence. */
const MISSING: Record<string, string> = {
  PropertyNameExpected: 'a name in double quotes is expected',
  ColonExpected: '":" is expected',
};

function problemOf(code: ParseErrorCode, text: string, offset: number, inside: '{' | '[' | undefined): string {
  const name = printParseErrorCode(code);
  if (name === 'InvalidSymbol') return symbolProblem(text, offset);
  const wrong = WRONG[name];
  if (wrong !== undefined) return wrong;
  if (offset >= text.length) return 'the text ends too early';
  if (name === 'CommaExpected') return `"," or "${inside === '{' ? '}' : ']'}" is expected`;
  return MISSING[name] ?? 'a value is expected';
}

/** Quotes only the names of numbers, because any other unquoted word may be a secret. */
function symbolProblem(text: string, offset: number): string {
  NOT_FINITE.lastIndex = offset;
  const word = NOT_FINITE.exec(text)?.[0];
  if (word !== undefined) return `there is ${word}, which is not JSON; send a finite number`;
  return 'there is something that JSON does not have; texts and names stand in double quotes';
}
