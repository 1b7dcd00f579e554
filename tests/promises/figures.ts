/** Figures of some numbers, and angles in degrees. */
export const total = (values: readonly number[] = []): number => values.reduce((sum, value) => sum + value, 0);
export const mean = (values: readonly number[] = []): number => total(values) / Math.max(1, values.length);
export const degrees = (rad: number): number => (rad * 180) / Math.PI;
export const radians = (deg: number): number => (deg * Math.PI) / 180;
