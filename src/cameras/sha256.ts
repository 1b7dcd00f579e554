/**
 * Returns the SHA-256 of some bytes as lower-case hex. Works only on pages with https or from this machine; the gate lets no
 * robot run on others.
 */
export async function sha256Hex(bytes: Uint8Array): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
