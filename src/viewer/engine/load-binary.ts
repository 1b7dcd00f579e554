/**
 * Requests a file and reports progress while the caller reads the response.
 * @param byteLength size of the file; over the wire it is compressed
 * @param onProgress bytes received, at most `byteLength`
 * @throws when the server does not have it
 */
export async function loadBinary(url: string, byteLength: number, onProgress: (loadedBytes: number) => void): Promise<Response> {
  const response = await fetch(url);
  if (!response.ok || !response.body) throw new Error(`The server answered ${response.status} for ${url}.`);
  let loadedBytes = 0;
  const counted = response.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        loadedBytes += chunk.byteLength;
        onProgress(Math.min(loadedBytes, byteLength));
        controller.enqueue(chunk);
      },
    }),
  );
  // Compilation while it downloads needs exactly this type.
  return new Response(counted, { headers: { 'Content-Type': 'application/wasm' } });
}
