/** Returns one character for each byte. Each byte becomes an argument; the bytes of one call are few enough for that. */
export const asciiOf = (bytes: Uint8Array): string => String.fromCharCode.apply(null, bytes as unknown as number[]);
