import { lazy, Suspense, useSyncExternalStore } from 'react';
import { useEngine } from '../common/engine-context.ts';
import { decimal, factor, metres } from '../common/format.ts';
import { useNow, usePageVisible } from '../common/hooks.ts';
import { THEME_CHANGED } from '../common/theme.ts';
import type { ChartLine } from './chart-line.ts';
import { type Sample, samplesOf, summaryOf } from './samples.ts';

const ChartCanvas = lazy(() => import('./ChartCanvas.tsx').then((module) => ({ default: module.ChartCanvas })));

const REFRESH_MS = 500;

interface ChartSpec {
  title: string;
  lines: readonly ChartLine[];
  text: (value: number) => string;
  /** The vertical axis covers at least this range. */
  atLeast: readonly [number, number];
}

const speedText = (value: number): string => `${decimal(value, 2)} m/s`;

const CHARTS: readonly ChartSpec[] = [
  {
    title: 'Speed',
    lines: [
      { key: 'measuredMps', label: 'Measured', colour: '--accent' },
      { key: 'commandedMps', label: 'Commanded', colour: '--warn', dashed: true },
    ],
    text: speedText,
    atLeast: [0, 1],
  },
  {
    title: 'Way still to go',
    lines: [{ key: 'remainingM', label: 'Remaining', colour: '--accent' }],
    text: metres,
    atLeast: [0, 1],
  },
  {
    title: 'Real-time factor',
    lines: [{ key: 'realTimeFactor', label: 'Factor', colour: '--good' }],
    text: factor,
    atLeast: [0, 1.2],
  },
];

/** The last minute of speed, remaining path and time factor, as lines and in figures. */
export function Charts() {
  const samples = samplesOf(useEngine());
  const visible = usePageVisible();
  const nowMs = useNow(visible ? REFRESH_MS : 10_000);
  const dark = useColourScheme();
  const recent = samples.recent(nowMs);
  return (
    <section className="charts stack gap-4" aria-label="The last minute">
      <h2 className="section-title">The last minute</h2>
      {CHARTS.filter(({ lines }) => lines.some(({ key }) => key !== 'remainingM' || summaryOf(recent, key))).map((chart) => (
        <figure key={chart.title} className="chart">
          <figcaption className="chart-title">{chart.title}</figcaption>
          <div className="chart-canvas" aria-hidden>
            <Suspense>
              <ChartCanvas key={String(dark)} samples={recent} nowMs={nowMs} lines={chart.lines} atLeast={chart.atLeast} />
            </Suspense>
          </div>
          <ChartFigures chart={chart} recent={recent} />
        </figure>
      ))}
    </section>
  );
}

/** The chart in figures: a legend for people who see the lines, and the full information for those who do not. */
function ChartFigures({ chart, recent }: { chart: ChartSpec; recent: readonly Sample[] }) {
  return (
    <table className="chart-figures">
      <caption className="visually-hidden">{chart.title} over the last minute</caption>
      <thead>
        <tr>
          <th scope="col">
            <span className="visually-hidden">Line</span>
          </th>
          <th scope="col">Now</th>
          <th scope="col">Least</th>
          <th scope="col">Most</th>
        </tr>
      </thead>
      <tbody>
        {chart.lines.map(({ key, label, dashed }) => {
          const summary = summaryOf(recent, key);
          return (
            <tr key={key}>
              <th scope="row">
                <span className="chart-key" data-line={key} data-dashed={dashed ?? false} aria-hidden />
                {label}
              </th>
              <td>{summary?.last == null ? '–' : chart.text(summary.last)}</td>
              <td>{summary ? chart.text(summary.min) : '–'}</td>
              <td>{summary ? chart.text(summary.max) : '–'}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

/** Returns whether the colour scheme is dark. Canvases do not follow the theme automatically. */
function useColourScheme(): boolean {
  return useSyncExternalStore(
    (changed) => {
      const list = window.matchMedia('(prefers-color-scheme: dark)');
      list.addEventListener('change', changed);
      document.addEventListener(THEME_CHANGED, changed);
      return () => {
        list.removeEventListener('change', changed);
        document.removeEventListener(THEME_CHANGED, changed);
      };
    },
    () => getComputedStyle(document.documentElement).colorScheme === 'dark',
    () => true,
  );
}
