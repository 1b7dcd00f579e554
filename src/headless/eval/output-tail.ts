import { open } from 'node:fs/promises';
import { stripVTControlCharacters } from 'node:util';

const TAIL_MAX_BYTES = 4_096;
const TAIL_MAX_LINES = 40;

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
