/** The interface of an experiment: what `npm run lab` shows, passes and gets back. */
import type { PublishedResults } from '../scripts/docs/result-pages.ts';

/** `smoke` shows that the experiment runs; `nightly` fits into an hour; results of `full` may be published. */
export type Size = 'smoke' | 'nightly' | 'full';

/** An option in addition to those of every experiment. */
export interface Option {
  takes: 'number' | 'nothing';
  /** One line for `--help`. */
  about: string;
  /** Bounds of a number. @default 1, and no upper bound */
  min?: number;
  max?: number;
}
export type Options = Readonly<Record<string, Option>>;

/** The given options; numbers are whole and within their bounds. */
export type Values<O extends Options> = { readonly [Name in keyof O]?: O[Name]['takes'] extends 'number' ? number : boolean };

export interface Asked<O extends Options = Options, S extends Size = Size> {
  size: S;
  /** The arguments, each one of the experiment's choices. Empty: all of them. */
  names: readonly string[];
  values: Values<O>;
  /** The folder for the files that the experiment writes. */
  outDir: string;
}

/** Receives the findings of an experiment. */
export interface Report {
  /** Prints progress, separate from the results. */
  say(line: string): void;
  /** Prints a row of the result and keeps it. */
  row(...cells: (string | number)[]): void;
  /** Records a failure, as a sentence that names what to investigate. The experiment has failed. */
  fail(sentence: string): void;
  /** Writes results into their file in `docs/`, and the pages generated from it. Does nothing at the size `smoke`. */
  publish<File extends keyof PublishedResults>(
    file: File,
    change: (kept: PublishedResults[File]) => PublishedResults[File],
  ): void;
}

export interface Experiment<O extends Options = Options, S extends Size = Size> {
  sizes: readonly S[];
  /** The arguments that it accepts; help and errors name them. Without it, it accepts no arguments. */
  choices?: { noun: string; names: readonly string[] };
  options: O;
  /** The column names of its rows. */
  head: readonly string[];
  /** @returns the result as data */
  run(asked: Asked<O, S>, report: Report): Promise<unknown>;
}
