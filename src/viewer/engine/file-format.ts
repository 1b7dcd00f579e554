const FORMAT = /^simplesim\.(scene|task|proof)\/\d+$/;

/**
 * Returns the kind of file that a JSON text declares in `format`; null for any other text. The reader of that kind checks the
 * rest.
 */
export function formatOf(text: string): 'scene' | 'task' | 'proof' | null {
  try {
    const { format } = JSON.parse(text) as { format?: unknown };
    const kind = typeof format === 'string' ? FORMAT.exec(format)?.[1] : undefined;
    return kind === 'scene' || kind === 'task' || kind === 'proof' ? kind : null;
  } catch {
    return null;
  }
}
