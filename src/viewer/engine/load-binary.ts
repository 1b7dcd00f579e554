/**
 * Requests a file and reports progress while the caller reads the response.
 * @param byteLength size of the file; over the wire it is compressed
 * @param onProgress bytes received, at most `byteLength`
 * @returns the browser's own response: of one that a script puts together it would not keep the compiled code for the next visit
 * @throws when the server does not have it
 */
export async function loadBinary(url: string, byteLength: number, onProgress: (loadedBytes: number) => void): Promise<Response> {
  const response = await fetch(url);
  const counted = response.ok ? response.clone().body : null;
  if (!counted) throw new Error(`The server answered ${response.status} for ${url}.`);
  // Whoever reads the response learns why it broke off.
  countBytes(counted, (loadedBytes) => onProgress(Math.min(loadedBytes, byteLength))).catch(() => undefined);
  return response;
}

async function countBytes(body: ReadableStream<Uint8Array>, onBytes: (loadedBytes: number) => void): Promise<void> {
  let loadedBytes = 0;
  const reader = body.getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    loadedBytes += read.value.byteLength;
    onBytes(loadedBytes);
  }
}
