/** Errors by the numbers of PGlite's file system (WASI's). The thrown value is not an Error and has no text. */
const FILE_TROUBLES: Readonly<Record<number, string>> = {
  2: 'EACCES',
  10: 'EBUSY',
  20: 'EEXIST',
  29: 'EIO',
  31: 'EISDIR',
  32: 'ELOOP',
  44: 'ENOENT',
  51: 'ENOSPC',
  54: 'ENOTDIR',
  55: 'ENOTEMPTY',
  63: 'EPERM',
  69: 'EROFS',
};

/** Returns the code of a thrown value, such as ENOSPC; null if it has none. Some libraries throw values that are not Errors. */
export function thrownCode(thrown: unknown): string | null {
  if (typeof thrown !== 'object' || thrown === null) return null;
  if ('code' in thrown && typeof thrown.code === 'string') return thrown.code;
  return 'errno' in thrown && typeof thrown.errno === 'number' ? (FILE_TROUBLES[thrown.errno] ?? null) : null;
}

/** Returns the text of a thrown value. */
export function thrownText(thrown: unknown): string {
  if (typeof thrown === 'string') return thrown;
  const said = typeof thrown === 'object' && thrown !== null && 'message' in thrown ? thrown.message : null;
  if (typeof said === 'string' && said !== '') return said;
  const code = thrownCode(thrown) ?? (typeof thrown === 'object' && thrown !== null && 'errno' in thrown ? thrown.errno : null);
  return code === null ? 'It failed without a reason' : `A file cannot be used (${code})`;
}

const FULL = new Set(['ENOSPC', 'EDQUOT']);
/** A bundler reports it only in its message. */
const FULL_WORDS = /\bENOSPC\b|no space left on device|disk quota exceeded/i;

/** Returns the remedy for a full disk, as a sentence; null for any other thrown value. */
export function fullDiskText(thrown: unknown): string | null {
  const code = thrownCode(thrown);
  if (code === null ? !FULL_WORDS.test(thrownText(thrown)) : !FULL.has(code)) return null;
  const path = typeof thrown === 'object' && thrown !== null && 'path' in thrown ? ` (${String(thrown.path)})` : '';
  return `The disk is full${path}. Free some space, then start again; nothing that was stored is lost.`;
}
