const FORMAT = /^simplesim\.(scene|task|proof)\/\d+$/;

/** Tells what a file says it is; null for one that says nothing of the kind, or is no JSON. Whether it is one, its reader says. */
export function formatOf(text: string): 'scene' | 'task' | 'proof' | null {
  try {
    const { format } = JSON.parse(text) as { format?: unknown };
    const kind = typeof format === 'string' ? FORMAT.exec(format)?.[1] : undefined;
    return kind === 'scene' || kind === 'task' || kind === 'proof' ? kind : null;
  } catch {
    return null;
  }
}
