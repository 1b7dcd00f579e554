import { quatToYaw, radToDeg } from '../../../protocol/wire/geometry.ts';
import { decimal, degrees, metres } from './format.ts';

/** Units by the ending of a key, longest first. */
const UNITS: readonly (readonly [suffix: string, unit: string, digits: number])[] = [
  ['_mps', 'm/s', 2],
  ['_deg', '°', 1],
  ['_rad', 'rad', 3],
  ['_ms', 'ms', 0],
  ['_m', 'm', 3],
  ['_s', 's', 2],
];

/** Returns whether a key is an id. Field names have only lower-case letters; "pad_A" and "cube_4" are ids. */
const isId = (key: string): boolean => /[A-Z0-9]/.test(key);

/** Returns a key of a result without its unit, as words: "position_error_m" → "position error". An id is unchanged. */
export function keyText(key: string): string {
  if (isId(key)) return key;
  const suffix = UNITS.find(([ending]) => key.endsWith(ending))?.[0] ?? '';
  return key.slice(0, key.length - suffix.length).replaceAll('_', ' ');
}

/**
 * Returns a value of parameters or results as one line, or null when its parts must be listed. Poses are shown as places; numbers
 * carry the unit in their key's name.
 */
export function inlineValue(key: string, value: unknown): string | null {
  if (value === null || value === undefined) return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') return numberWithUnit(key, value);
  if (typeof value === 'string') return value === '' ? 'empty' : value;
  if (Array.isArray(value)) return listValue(value);
  if (typeof value !== 'object') return String(value);
  if (Object.keys(value).length === 0) return 'none';
  return poseText(value);
}

function numberWithUnit(key: string, value: number): string {
  if (!Number.isFinite(value)) return String(value);
  const unit = UNITS.find(([ending]) => key.endsWith(ending));
  if (!unit) return Number.isInteger(value) ? decimal(value, 0) : decimal(value, 3);
  const [, name, digits] = unit;
  return `${decimal(value, digits)}${name === '°' ? '' : ' '}${name}`;
}

function listValue(values: readonly unknown[]): string | null {
  if (values.length === 0) return 'none';
  if (values.every((value) => typeof value === 'number')) {
    return values.map((value) => (Number.isInteger(value) ? decimal(value, 0) : decimal(value, 3))).join(', ');
  }
  if (values.every((value) => typeof value === 'string' || typeof value === 'boolean')) return values.join(', ');
  return null;
}

/** Describes a pose in words; null when the value is not a pose. World frame, metres. */
export function poseText(value: unknown): string | null {
  if (typeof value !== 'object' || value === null || !('position' in value)) return null;
  const { position } = value;
  if (!Array.isArray(position) || position.length !== 3 || !position.every((part) => typeof part === 'number')) return null;
  const [x, y, z] = position as [number, number, number];
  const heading = 'yaw_deg' in value && typeof value.yaw_deg === 'number' ? `, heading ${degrees(value.yaw_deg, 1)}` : '';
  return `x ${decimal(x, 2)}, y ${decimal(y, 2)}, z ${metres(z)}${heading}`;
}

/** Returns the parts of a value that has no one-line form, as key and value. */
export function partsOf(value: unknown): readonly (readonly [key: string, value: unknown])[] {
  if (Array.isArray(value)) return value.map((part, index) => [String(index + 1), part] as const);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value);
}

/** Returns the heading of a pose in degrees: `yaw_deg`, otherwise from its quaternion; null without either. */
export function headingDeg(pose: {
  yaw_deg?: number | undefined;
  orientation_xyzw?: readonly [number, number, number, number] | undefined;
}): number | null {
  if (pose.yaw_deg !== undefined) return pose.yaw_deg;
  return pose.orientation_xyzw ? radToDeg(quatToYaw(pose.orientation_xyzw)) : null;
}
