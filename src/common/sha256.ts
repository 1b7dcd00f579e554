import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

/**
 * Returns the SHA-256 of a text in UTF-8 as 64 lower-case hexadecimal digits; an unpaired surrogate counts as U+FFFD.
 * Synchronous, unlike the browser's own, which exists only on HTTPS pages: a proof is written and read between two steps.
 */
export const sha256OfText = (text: string): string => bytesToHex(sha256(utf8ToBytes(text)));
