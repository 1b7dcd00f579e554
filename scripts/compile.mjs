/**
 * Compiles the commands from `src/` into `compiled/`, file by file, with source maps; run in a process of its own, since the compiler takes
 * memory that a service must not keep. Plain JavaScript: it is what runs before there is anything else to run.
 */
import { copyFileSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { build } from 'vite';
import { COMPILED_DIR, ROOT_DIR, STAMP } from './compiled.mjs';

/** The programs that a command, or another program, starts, and what programs of others import. */
const PROGRAMS = [
  'launch/simplesim',
  'launch/start',
  'launch/service',
  'launch/worker',
  'launch/headless',
  'launch/link',
  'launch/sfu-guard',
  'launch/eval/agent-guard',
  'launch/eval/verify-process',
  'launch/viewer-build-process',
  'control-service/db/empty-database-process',
  'worker/robot/robot-process',
  'headless/index',
];
/** A file that is younger and bears a process's number is being written. */
const UNDER_WAY_MS = 60_000;
/** Read by the programs as they are. */
const DATA_DIRS = ['control-service/migrations'];

const fromSrc = (path) => join(ROOT_DIR, 'src', path);
// A time before anything is read: what changes meanwhile is compiled next time.
const startedAt = new Date().toISOString();
const built = await build({
  root: ROOT_DIR,
  configFile: false,
  publicDir: false,
  logLevel: 'warn',
  build: {
    ssr: true,
    write: false,
    target: 'node20',
    minify: false,
    sourcemap: true,
    outDir: COMPILED_DIR,
    rolldownOptions: {
      // What takes its time on a slow machine is no warning for whoever starts a command.
      checks: { bundlerTimings: false },
      input: Object.fromEntries(PROGRAMS.map((name) => [name, fromSrc(`${name}.ts`)])),
      // A file for each file: they find each other, and data beside them, as in `src/`.
      output: {
        preserveModules: true,
        preserveModulesRoot: fromSrc('.'),
        entryFileNames: '[name].js',
        // Every process keeps its maps in memory; lines and names do for traces.
        sourcemapExcludeSources: true,
      },
    },
  },
});
const files = new Map(
  [built]
    .flat()
    .flatMap(({ output }) => output.map((file) => [file.fileName, file.type === 'chunk' ? file.code : String(file.source)])),
);
for (const dir of DATA_DIRS) {
  for (const entry of readdirSync(fromSrc(dir), { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = join(entry.parentPath, entry.name);
    files.set(relative(fromSrc('.'), file), { copyOf: file });
  }
}
files.set(STAMP, startedAt);

// Until its own stamp is there, what lies here is stale: a compiler that is killed halfway may have put older files among newer ones.
rmSync(join(COMPILED_DIR, STAMP), { force: true });
for (const [name, content] of files) {
  const file = join(COMPILED_DIR, name);
  // Each is swapped whole: another command may be starting from them.
  const fresh = `${file}.${process.pid}`;
  try {
    mkdirSync(dirname(file), { recursive: true });
    if (typeof content === 'string') writeFileSync(fresh, content);
    else copyFileSync(content.copyOf, fresh);
    renameSync(fresh, file);
  } catch (error) {
    rmSync(fresh, { force: true });
    if (error.code !== 'ENOSPC' && error.code !== 'EDQUOT') throw error;
    console.error(
      `The commands could not be compiled into ${COMPILED_DIR}: the disk is full. Free some space, then start again.`,
    );
    process.exit(1);
  }
}
for (const entry of readdirSync(COMPILED_DIR, { recursive: true, withFileTypes: true })) {
  const file = join(entry.parentPath, entry.name);
  if (!entry.isFile() || files.has(relative(COMPILED_DIR, file).replaceAll('\\', '/'))) continue;
  // Another command that compiles at the same time is about to swap its own.
  const isUnderWay =
    /\.\d+$/.test(entry.name) && Date.now() - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0) < UNDER_WAY_MS;
  if (!isUnderWay) rmSync(file, { force: true });
}
