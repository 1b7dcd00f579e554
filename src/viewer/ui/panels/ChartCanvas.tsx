import 'uplot/dist/uPlot.min.css';
import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import type { ChartLine } from './chart-line.ts';
import { SAMPLED_MS, type Sample } from './samples.ts';

interface ChartCanvasProps {
  samples: readonly Sample[];
  nowMs: number;
  lines: readonly ChartLine[];
  atLeast: readonly [number, number];
}

const HEIGHT_PX = 96;

/** The lines of a chart; loaded only where a chart is shown. */
export function ChartCanvas({ samples, nowMs, lines, atLeast }: ChartCanvasProps) {
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);

  useEffect(() => {
    const element = place.current;
    if (!element) return;
    const made = new uPlot(optionsFor(element, lines, atLeast), [[]], element);
    plot.current = made;
    const watch = new ResizeObserver(([entry]) => {
      const widthPx = Math.floor(entry?.contentRect.width ?? 0);
      if (widthPx > 0 && widthPx !== made.width) made.setSize({ width: widthPx, height: HEIGHT_PX });
    });
    watch.observe(element);
    return () => {
      watch.disconnect();
      made.destroy();
      plot.current = null;
    };
  }, [lines, atLeast]);

  useEffect(() => {
    plot.current?.setData([
      samples.map(({ atMs }) => (atMs - nowMs) / 1000),
      ...lines.map(({ key }) => samples.map((sample) => sample[key])),
    ]);
  }, [samples, nowMs, lines]);

  return <div ref={place} />;
}

function optionsFor(element: HTMLElement, lines: readonly ChartLine[], [least, most]: readonly [number, number]): uPlot.Options {
  const style = getComputedStyle(element);
  const colour = (token: string) => style.getPropertyValue(token).trim();
  const axis = {
    stroke: colour('--text-faint'),
    font: `11px ${style.fontFamily}`,
    grid: { stroke: colour('--line'), width: 1 },
    ticks: { show: false },
  };
  return {
    width: Math.max(1, element.clientWidth),
    height: HEIGHT_PX,
    padding: [8, 14, 0, 0],
    legend: { show: false },
    cursor: { show: false },
    scales: {
      x: { time: false, range: [-SAMPLED_MS / 1000, 0] },
      y: { range: (_plot, min, max) => [Math.min(least, min ?? least), Math.max(most, (max ?? most) * 1.05)] },
    },
    axes: [
      { ...axis, size: 24, gap: 4, splits: () => [-60, -40, -20, 0], values: (_plot, splits) => splits.map(secondsText) },
      { ...axis, size: 32, gap: 4, space: 28 },
    ],
    series: [
      {},
      ...lines.map(({ label, colour: token, dashed }) => ({
        label,
        stroke: colour(token),
        width: 1.5,
        points: { show: false },
        ...(dashed ? { dash: [4, 4] } : {}),
      })),
    ],
  };
}

const secondsText = (seconds: number): string => (seconds === 0 ? 'now' : `\u2212${Math.abs(seconds)} s`);
