import { UsageError } from './read-options.ts';

/** Longest input: a key or its link, with room for text pasted around it. */
const KEY_INPUT_MAX_BYTES = 65_536;

/** Reads a key from the standard input. @throws UsageError if the input is too long for a key */
export async function readGivenKey(input: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let byteCount = 0;
  for await (const chunk of input) {
    byteCount += chunk.byteLength;
    if (byteCount > KEY_INPUT_MAX_BYTES)
      throw new UsageError('The standard input holds more than a room key. Send the key alone.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
