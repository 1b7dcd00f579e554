/** A drawing of parts and their imports as SVG. */
import { Graph, layout } from '@dagrejs/dagre';
import { type Arrows, circlesOf } from './import-arrows.ts';

const LETTER_PX = 7.3;
const BOX_HEIGHT_PX = 34;
const BOX_SIDES_PX = 28;

/** Returns the drawing: importing parts above the imported ones, circles in red. The same imports give the same text. */
export function structureDrawing(title: string, arrows: Arrows): string {
  const parts = [...new Set([...arrows].flatMap(([from, targets]) => [from, ...targets]))].sort();
  const graph = new Graph();
  graph.setGraph({ nodesep: 22, ranksep: 46, marginx: 16, marginy: 16 });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const part of parts)
    graph.setNode(part, { label: part, width: Math.round(part.length * LETTER_PX) + BOX_SIDES_PX, height: BOX_HEIGHT_PX });
  for (const part of parts) for (const target of [...(arrows.get(part) ?? [])].sort()) graph.setEdge(part, target);
  layout(graph);
  const circles = circlesOf(arrows);
  const isCircle = (a: string, b: string): boolean => circles.some((pair) => pair.includes(a) && pair.includes(b));
  const { width = 0, height = 0 } = graph.graph() as { width?: number; height?: number };
  const lines = graph.edges().map(({ v, w }) => {
    const { points } = graph.edge(v, w) as { points: { x: number; y: number }[] };
    return `<path ${isCircle(v, w) ? CIRCLE : ARROW} marker-end="url(#head)" d="${pathOf(points)}"/>`;
  });
  const boxes = parts.map((part) => {
    const { x, y, width: w, height: h } = graph.node(part) as { x: number; y: number; width: number; height: number };
    const box = `<rect x="${px(x - w / 2)}" y="${px(y - h / 2)}" width="${px(w)}" height="${px(h)}" ${BOX}/>`;
    return `${box}<text x="${px(x)}" y="${px(y + 4.5)}" ${TEXT}>${part}</text>`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${px(width)} ${px(height)}" width="${px(width)}" height="${px(height)}" role="img" aria-label="${title}">`,
    HEAD,
    `<rect width="${px(width)}" height="${px(height)}" fill="#ffffff"/>`,
    ...lines,
    ...boxes,
    '</svg>',
    '',
  ].join('\n');
}

const BOX = 'rx="8" fill="#f1effb" stroke="#5b3cc4"';
const TEXT = 'font-family="system-ui, sans-serif" font-size="13" fill="#1c1a26" text-anchor="middle"';
const ARROW = 'fill="none" stroke="#77738a" stroke-width="1.3"';
const CIRCLE = 'fill="none" stroke="#c4264b" stroke-width="2.4"';
const HEAD =
  '<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="9" markerHeight="9" markerUnits="userSpaceOnUse" orient="auto"><polygon points="0,0 8,4 0,8" fill="#77738a"/></marker></defs>';

/** Returns a curve through the midpoints between points, from the first to the last. */
function pathOf(points: readonly { x: number; y: number }[]): string {
  const [first, ...rest] = points;
  const last = rest.at(-1);
  if (!first || !last) return '';
  const curves = rest.slice(0, -1).map((point, k) => {
    const next = rest[k + 1] ?? last;
    return `Q${px(point.x)} ${px(point.y)} ${px((point.x + next.x) / 2)} ${px((point.y + next.y) / 2)}`;
  });
  return [`M${px(first.x)} ${px(first.y)}`, ...curves, `L${px(last.x)} ${px(last.y)}`].join(' ');
}

const px = (value: number): string => String(Math.round(value * 10) / 10);
