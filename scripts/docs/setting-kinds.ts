/** An environment variable as the page of the settings lists it, and the programs that read it. */

/** A command, or another part of the product, that reads variables. */
export type Reader =
  | 'start'
  | 'serve'
  | 'service'
  | 'worker'
  | 'headless'
  | 'link'
  | 'class'
  | 'eval'
  | 'mcp'
  | 'libraries'
  | 'proxy'
  | 'compose'
  | 'build'
  | 'tests';

/** The names of the readers on the page. */
export const READERS: Readonly<Record<Reader, string>> = {
  start: '`npm start`',
  serve: '`npm run service -- serve`',
  service: '`npm run service -- keys`, `robots`',
  worker: '`npm run worker`',
  headless: '`npm run headless`',
  link: '`npm run link`',
  class: '`class`',
  eval: '`eval`',
  mcp: '`mcp --room`',
  libraries: 'client libraries',
  proxy: 'proxy (`deploy/Caddyfile`)',
  compose: '`deploy/compose.yaml`',
  build: '`npm run build`',
  tests: '`npm test`',
};

export interface Setting {
  name: string;
  meaning: string;
  default: string;
  readers: readonly Reader[];
  /** The files of the clone whose text reads the variable. */
  files: readonly string[];
}
