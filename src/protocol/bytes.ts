/** A character for each byte. As an argument each, the bytes of one call take no more room than they may. */
export const asciiOf = (bytes: Uint8Array): string => String.fromCharCode.apply(null, bytes as unknown as number[]);
