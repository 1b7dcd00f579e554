import { encodeQR } from 'qr';

/** Modules of quiet ground around a code, as the standard asks for. */
const BORDER = 4;

/** A QR code as a path of unit squares. */
export interface QrPath {
  /** Modules on each side, the quiet ground included. */
  size: number;
  /** For the `d` of an SVG path: what is dark. */
  path: string;
}

/** Draws a text as a QR code, each run of dark modules as one rectangle. @throws when the text is longer than a code can hold */
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
