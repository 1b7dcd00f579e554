import type { SampleKey } from './samples.ts';

/** One line of a chart. */
export interface ChartLine {
  key: SampleKey;
  label: string;
  /** The name of a colour in tokens.css. */
  colour: string;
  dashed?: boolean;
}
