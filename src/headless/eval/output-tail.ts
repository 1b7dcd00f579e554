import { open } from 'node:fs/promises';
import { stripVTControlCharacters } from 'node:util';

const TAIL_MAX_BYTES = 4_096;
const TAIL_MAX_LINES = 40;
const LINE_MAX_CHARS = 200;
/** How the runtimes of the usual languages begin the line of an error that ends a program: `ImportError: …`, `Error [CODE]: …`. */
const NAMES_ERROR = /^(?:Uncaught )?[\w.]*(?:Error|Exception)\b[^:]*: /;

/**
 * Returns the last lines of an agent's output file, without colours of a terminal: at most 40 lines of the last 4 KiB. Secrets are masked
 * in the file already. An empty text if the file cannot be read.
 */
export async function outputTail(path: string): Promise<string> {
  try {
    const file = await open(path);
    try {
      const { size } = await file.stat();
      const length = Math.min(size, TAIL_MAX_BYTES);
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, size - length);
      const text = buffer.toString('utf8', 0, bytesRead);
      // The first line of a part is not whole, unless it is the only one.
      const whole = length < size ? text.slice(text.indexOf('\n') + 1) : text;
      return stripVTControlCharacters(whole.trimEnd()).split('\n').slice(-TAIL_MAX_LINES).join('\n');
    } finally {
      await file.close();
    }
  } catch {
    return '';
  }
}

/**
 * Returns the line of an agent's last lines with the reason for its end: the last one that names an error, because Node prints its version after
 * it, or else the last one. Null if there is none.
 */
export function errorLine(tail: string): string | null {
  const lines = tail
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const line = lines.findLast((one) => NAMES_ERROR.test(one)) ?? lines.at(-1);
  if (line === undefined) return null;
  return line.length > LINE_MAX_CHARS ? `${line.slice(0, LINE_MAX_CHARS - 1)}…` : line;
}
