/**
 * Returns whether a value is the JSON text of an object or a list: its sender encoded it as text before encoding it as JSON
 * again.
 */
export function isJsonText(value: unknown): value is string {
  if (typeof value !== 'string' || !/^\s*[{[]/.test(value)) return false;
  try {
    JSON.parse(value);
    return true;
  } catch {
    return false;
  }
}

/** A description of the fault of such a value, after its name. */
export const IS_JSON_TEXT = 'is a JSON text and must be an object. Send the object itself, and do not turn it into text first.';
