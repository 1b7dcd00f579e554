/** Returns one character for each byte. Each byte is an argument; the bytes of one call take no more room than arguments may. */
export const asciiOf = (bytes: Uint8Array): string => String.fromCharCode.apply(null, bytes as unknown as number[]);
