/**
 * Requests a file and reports progress while the caller reads the response.
 * @param byteLength size of the file; it is compressed in transit
 * @param onProgress bytes received, at most `byteLength`
 * @returns the browser's own response: for a response built by a script, the browser would not cache the compiled code
 * @throws when the server does not have the file
 */
export async function loadBinary(url: string, byteLength: number, onProgress: (loadedBytes: number) => void): Promise<Response> {
  const response = await fetch(url);
  const counted = response.ok ? response.clone().body : null;
  if (!counted) throw new Error(`The server answered ${response.status} for ${url}.`);
  // The reader of the response receives the reason for the interruption.
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
