import { open } from 'node:fs/promises';

const CHUNK_BYTES = 65_536;

/**
 * Reads a text file, at most a byte more than it may have: whoever reads the text refuses a larger file as one, and none is read whole.
 * @throws Error when the file cannot be read
 */
export async function readBounded(path: string, maxBytes: number): Promise<string> {
  const file = await open(path, 'r');
  try {
    const chunks: Buffer[] = [];
    let left = maxBytes + 1;
    while (left > 0) {
      const { bytesRead, buffer } = await file.read(Buffer.alloc(Math.min(left, CHUNK_BYTES)));
      if (bytesRead === 0) break;
      chunks.push(buffer.subarray(0, bytesRead));
      left -= bytesRead;
    }
    return Buffer.concat(chunks).toString('utf8');
  } finally {
    await file.close();
  }
}
