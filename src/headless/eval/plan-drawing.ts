import type { SceneLayout } from '../../protocol/wire/scene.ts';
import { xml } from './junit.ts';
import type { RunDrawing } from './run-record.ts';

/** The colours of things by their names; others are grey. They are tokens of the report's style. */
const COLOURS: Readonly<Record<string, string>> = {
  red: 'var(--cube-red)',
  green: 'var(--cube-green)',
  blue: 'var(--cube-blue)',
  yellow: 'var(--cube-yellow)',
};
const GREY = 'var(--text-faint)';
const PIXELS_PER_M = 26;
const THING_M = 0.09;
/** As high as something is that stands in the way; lower boxes are floor marks. */
const OBSTACLE_MIN_M = 0.05;

/** Draws a run from above as SVG: the scene, the robot's way from a ring to a dot, each thing where it was and where it came to be. */
export function planDrawing({ layout, path, things }: RunDrawing): string {
  const [minX, minY] = layout.bounds.min;
  const [maxX, maxY] = layout.bounds.max;
  const [widthM, heightM] = [maxX - minX, maxY - minY];
  // World x goes to the right and y up.
  const shapes = [
    ...layout.pads.map(({ position: [x, y], size, color }) => box(x, y, size, 0, color ? COLOURS[color] : GREY, 0.25)),
    ...obstaclesOf(layout),
    way(path),
    ...things.flatMap(({ id, colour, from, to }) => thing(id, colour, from, to)),
  ];
  const [first, last] = [path[0], path.at(-1)];
  if (first)
    shapes.push(
      `<circle cx="${n(first[0])}" cy="${n(first[1])}" r="0.15" fill="none" stroke="currentColor" stroke-width="0.04"/>`,
    );
  if (last) shapes.push(`<circle cx="${n(last[0])}" cy="${n(last[1])}" r="0.15" fill="currentColor"/>`);
  return `<svg class="plan" role="img" aria-label="The run from above" viewBox="0 0 ${n(widthM)} ${n(heightM)}" width="${n(widthM * PIXELS_PER_M)}"><g transform="translate(${n(-minX)} ${n(maxY)}) scale(1 -1)">${shapes.join('')}</g></svg>`;
}

const obstaclesOf = ({ obstacles }: SceneLayout): string[] =>
  obstacles
    .filter(({ size }) => size[2] >= OBSTACLE_MIN_M)
    .map(({ pose: { position, yaw_deg: yawDeg = 0 }, size }) => box(position[0], position[1], size, yawDeg, GREY, 0.35));

const box = (x: number, y: number, [width, depth]: readonly number[], yawDeg: number, colour = GREY, opacity = 1): string =>
  `<rect x="${n(-(width ?? 0) / 2)}" y="${n(-(depth ?? 0) / 2)}" width="${n(width ?? 0)}" height="${n(depth ?? 0)}" fill="${colour}" fill-opacity="${opacity}" transform="translate(${n(x)} ${n(y)}) rotate(${n(yawDeg)})"/>`;

const way = (path: RunDrawing['path']): string =>
  `<polyline points="${path.map(([x, y]) => `${n(x)},${n(y)}`).join(' ')}" fill="none" stroke="currentColor" stroke-width="0.04" stroke-opacity="0.7"/>`;

function thing(
  id: string,
  colour: string | null,
  from: readonly [number, number],
  to: readonly [number, number] | null,
): string[] {
  const fill = (colour && COLOURS[colour]) || GREY;
  const at = to ?? from;
  const hasMoved = to !== null && Math.hypot(to[0] - from[0], to[1] - from[1]) > THING_M;
  return [
    ...(hasMoved
      ? [
          `<line x1="${n(from[0])}" y1="${n(from[1])}" x2="${n(at[0])}" y2="${n(at[1])}" stroke="${fill}" stroke-width="0.03" stroke-dasharray="0.1 0.1"/>`,
        ]
      : []),
    `<circle cx="${n(at[0])}" cy="${n(at[1])}" r="${THING_M}" fill="${fill}" fill-opacity="${to === null ? 0.25 : 1}"><title>${xml(id)}</title></circle>`,
  ];
}

/** A number of metres, short. */
const n = (value: number): string => String(Math.round(value * 1_000) / 1_000);
