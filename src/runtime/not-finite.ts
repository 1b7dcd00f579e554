/**
 * Returns the path of a non-finite number in a wire value, such as "robot.pose.position[0]". JSON has no such number and would
 * write null.
 * @returns null if all numbers are finite
 */
export function pathOfNotFinite(value: unknown): string | null {
  if (typeof value === 'number') return Number.isFinite(value) ? null : '';
  if (value === null || typeof value !== 'object') return null;
  const isList = Array.isArray(value);
  for (const [key, inner] of Object.entries(value)) {
    const path = pathOfNotFinite(inner);
    if (path === null) continue;
    const own = isList ? `[${key}]` : key;
    return path === '' || path.startsWith('[') ? own + path : `${own}.${path}`;
  }
  return null;
}
