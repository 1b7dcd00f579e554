/** The shape of an experiment: what `npm run lab` offers, asks and gets back. */
import type { PublishedResults } from '../scripts/docs/result-pages.ts';

/** `smoke` shows that the experiment runs; `nightly` fits into an hour; results of `full` are worth publishing. */
export type Size = 'smoke' | 'nightly' | 'full';

/** An option beside those of every experiment. */
export interface Option {
  takes: 'number' | 'nothing';
  /** One line for `--help`. */
  about: string;
  /** Bounds of a number. @default 1, and no upper bound */
  min?: number;
  max?: number;
}
export type Options = Readonly<Record<string, Option>>;

/** The options that were given; numbers are whole and within their bounds. */
export type Values<O extends Options> = { readonly [Name in keyof O]?: O[Name]['takes'] extends 'number' ? number : boolean };

export interface Asked<O extends Options = Options, S extends Size = Size> {
  size: S;
  /** The arguments, each one of the experiment's choices. Empty: all of them. */
  names: readonly string[];
  values: Values<O>;
  /** Where files belong that the experiment writes. */
  outDir: string;
}

/** Takes what an experiment finds. */
export interface Report {
  /** Prints progress, beside the results. */
  say(line: string): void;
  /** Prints a row of the result and keeps it. */
  row(...cells: (string | number)[]): void;
  /** Keeps a failure, a sentence that names what to look into. The experiment has failed. */
  fail(sentence: string): void;
  /** Writes results into their file in docs/, and the pages made of it; does nothing at the size `smoke`. */
  publish<File extends keyof PublishedResults>(
    file: File,
    change: (kept: PublishedResults[File]) => PublishedResults[File],
  ): void;
}

export interface Experiment<O extends Options = Options, S extends Size = Size> {
  sizes: readonly S[];
  /** What its arguments name, for help and errors. No arguments without it. */
  choices?: { noun: string; names: readonly string[] };
  options: O;
  /** What the cells of its rows are. */
  head: readonly string[];
  /** @returns the figures of the result as data */
  run(asked: Asked<O, S>, report: Report): Promise<unknown>;
}
