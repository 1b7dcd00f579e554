import { encodeQR } from 'qr';

/** Width in modules of the quiet zone around a code, as the standard requires. */
const BORDER = 4;

/** A QR code as a path of unit squares. */
export interface QrPath {
  /** Modules on each side, including the quiet zone. */
  size: number;
  /** The dark modules, for the `d` attribute of an SVG path. */
  path: string;
}

/** Draws a text as a QR code, each run of dark modules as one rectangle. @throws when the text is too long for a code */
export function qrPath(text: string): QrPath {
  const rows = encodeQR(text, 'raw', { ecc: 'low', border: BORDER });
  const path = rows.flatMap((row, y) => darkRuns(row).map(([x, length]) => `M${x} ${y}h${length}v1h-${length}z`)).join('');
  return { size: rows.length, path };
}

function darkRuns(row: readonly boolean[]): [start: number, length: number][] {
  const runs: [number, number][] = [];
  row.forEach((dark, x) => {
    const last = runs.at(-1);
    if (!dark) return;
    if (last && last[0] + last[1] === x) last[1] += 1;
    else runs.push([x, 1]);
  });
  return runs;
}
