/** Figures of one row of measurements. All in the unit of the samples. */
export interface Figures {
  count: number;
  p50: number;
  p99: number;
}

export function figuresOf(samples: readonly number[]): Figures {
  const sorted = [...samples].sort((a, b) => a - b);
  const at = (fraction: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * fraction))] ?? Number.NaN;
  return { count: sorted.length, p50: at(0.5), p99: at(0.99) };
}

/** One line of the report: ours against the bare limit, measured in turn within one run. */
export interface Comparison {
  name: string;
  unit: string;
  ours: Figures;
  bare: Figures;
  /** Ratio of the medians that we aim to stay within. */
  target: number;
}

export function reportLine({ name, unit, ours, bare, target }: Comparison): string {
  const ratio = ours.p50 / bare.p50;
  const figures = (label: string, { p50, p99 }: Figures) => `${label} ${p50.toFixed(3)} (p99 ${p99.toFixed(3)})`;
  return `${name}: ${figures('ours', ours)} ${unit}, ${figures('bare', bare)} ${unit}, n ${ours.count}, ratio ${ratio.toFixed(2)}, target ≤ ${target} ${ratio <= target ? 'met' : 'not met'}`;
}
