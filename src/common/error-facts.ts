/** A stack frame of an error: `at place (file:line:column)`. */
const FRAME = /^\s+at .{1,300}$/;
const FRAMES_MAX = 8;
/** Codes of Node and PostgreSQL: words, never content of a request. */
const CODE = /^[\w.-]{1,64}$/;

/**
 * Returns the loggable facts of an unforeseen error: enough to find it, but not its text, which may hold an address
 * with a token, or content of a request (a database names its parameters).
 */
export function errorFacts(error: unknown): { error: string; at: string } {
  const causes: string[] = [];
  const seen = new Set<unknown>();
  for (let at = error; at !== undefined && at !== null && !seen.has(at); at = at instanceof Error ? at.cause : undefined) {
    seen.add(at);
    causes.push(nameOf(at));
  }
  return { error: causes.join(' < '), at: framesOf(error).join(' < ') };
}

function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const code = 'code' in error && typeof error.code === 'string' && CODE.test(error.code) ? ` ${error.code}` : '';
  return `${error.constructor.name}${code}`;
}

function framesOf(error: unknown): string[] {
  if (!(error instanceof Error) || typeof error.stack !== 'string') return [];
  // The stack begins with the text, and a text may look like a frame.
  const text = error.stack.indexOf(error.message);
  const frames = text < 0 ? '' : error.stack.slice(text + error.message.length);
  return frames
    .split('\n')
    .filter((line) => FRAME.test(line))
    .slice(0, FRAMES_MAX)
    .map((line) => line.trim().slice(3));
}
