/**
 * `npm run demo`, or `npm run demo -- FOLDER`: builds the page as a folder of files, which any static host serves below any path.
 * It contains a robot that runs only in the tab, tasks, scenes, the replay of a proof, and the manual. There is no service behind
 * it, and its pages state that.
 */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import { productVersion } from '../src/headless/product-version.ts';
import { PROJECT_DIR } from '../src/launch/installation.ts';
import { DIST_DIR, ensureViewerBuilt } from '../src/launch/viewer-build.ts';
import { play } from '../src/tasks/agent-play.ts';
import { plannerAgent } from '../src/tasks/planner-agent.ts';
import { proofText } from '../src/tasks/proof-text.ts';
import { createRun } from '../src/tasks/recorded-run.ts';
import { readTask } from '../src/tasks/task-reader.ts';
import { startEngine } from '../src/worker/robot/physics-engine.ts';

const MARK = ' data-service="none"';
/** Files that only a server or a debugging person needs: the page of all robots, compressed copies, source maps. */
const LEFT_OUT = /^robots(?:-[\w-]+)?\.(?:html|js|css)$|\.(?:br|map)$/;
/** The run that the gate offers for watching. */
const TASK_SHOWN = 'tasks/fetch/hall-hold-blue.json';

const GATE_TEXT = `<p class="gate-words">
  Programs reach a robot through a robot service, and this page has none. Run <code>npm start</code> on your own machine and open the
  link that it prints: the <a href="manual/README.html#start">manual</a> has each step. Here you can
  <a href="replay.html?proof=proofs/${basename(TASK_SHOWN)}">watch a run</a> of a program: this browser simulates it again.
</p>`;
const GATE_HELP = 'The file of a task, or the proof of a run. You can also drop it anywhere here.';

/** The form stays, and only shows what is wrong with a file. */
const STYLE = `.gate-field, #gate-form > label, #gate-submit, #gate-scan { display: none !important; }\n`;
const STYLE_FILE = 'demo.css';

const outDir = resolve(process.argv[2] ?? join(PROJECT_DIR, 'demo'));
const indexFile = join(outDir, 'index.html');
const isOurs = existsSync(indexFile) && readFileSync(indexFile, 'utf8').includes(MARK);
// A folder may be a checkout of the branch that a host publishes.
const present = existsSync(outDir) ? readdirSync(outDir).filter((name) => !name.startsWith('.')) : [];
if (present.length > 0 && !isOurs) {
  console.error(`${outDir} contains files that are not part of a demo. Name an empty folder: npm run demo -- FOLDER`);
  process.exit(1);
}

await ensureViewerBuilt((line) => console.log(line));
for (const name of present) rmSync(join(outDir, name), { recursive: true, force: true });
cpSync(DIST_DIR, outDir, { recursive: true, filter: (source) => !LEFT_OUT.test(basename(source)) });
for (const name of readdirSync(outDir).filter((one) => one.endsWith('.html'))) rewrite(join(outDir, name), withoutService);
rewrite(indexFile, withoutKeys);
writeFileSync(join(outDir, STYLE_FILE), STYLE);
for (const name of readdirSync(join(outDir, 'assets')).filter((one) => /\.(?:js|css)$/.test(one)))
  rewrite(join(outDir, 'assets', name), withoutSourceMap);
mkdirSync(join(outDir, 'proofs'));
writeFileSync(join(outDir, 'proofs', basename(TASK_SHOWN)), await provenRun(TASK_SHOWN));
// Otherwise GitHub Pages would process the folder with Jekyll.
writeFileSync(join(outDir, '.nojekyll'), '');

const files = readdirSync(outDir, { recursive: true, encoding: 'utf8' }).map((name) => statSync(join(outDir, name)));
const bytes = files.reduce((sum, file) => sum + (file.isFile() ? file.size : 0), 0);
console.log(
  `The demo is in ${relative(process.cwd(), outDir) || '.'}: ${(bytes / 1e6).toFixed(1)} MB. Serve it with any static host.`,
);

function rewrite(file: string, change: (text: string) => string): void {
  writeFileSync(file, change(readFileSync(file, 'utf8')));
}

/**
 * Marks a page as one without a service, and forbids it the connections of a room. Files of scenes and tasks may be loaded over
 * https.
 */
function withoutService(html: string): string {
  const marked = replaced(html, /<html/, `<html${MARK}`);
  return replaced(marked, /(connect-src .*?) ws: wss: http: https:/, '$1 https:');
}

/** Makes the gate show what it offers in place of a room key. */
function withoutKeys(html: string): string {
  const styled = replaced(html, /(?=<\/head>)/, `<link rel="stylesheet" href="${STYLE_FILE}">\n`);
  const titled = replaced(styled, /(<h2 id="gate-key-title">)[^<]*/, '$1Drive one from your programs');
  const explained = replaced(titled, /<p class="gate-words">This tab becomes your robot.*?<\/p>/s, GATE_TEXT);
  return replaced(explained, /(<p id="gate-help" class="gate-help">).*?(?=<\/p>)/s, `$1${GATE_HELP}`);
}

function replaced(html: string, part: RegExp, by: string): string {
  if (!part.test(html)) throw new Error(`The built page has another form than scripts/demo.ts expects: ${part} is missing.`);
  return html.replace(part, by);
}

function withoutSourceMap(code: string): string {
  return code.replace(/\n(?:\/\/# sourceMappingURL=\S+|\/\*# sourceMappingURL=\S+ \*\/)\s*$/, '\n');
}

/**
 * Lets the planner do a task, and returns the proof of its run. It is created here, so that it has this version of the
 * simulation.
 */
async function provenRun(taskFile: string): Promise<string> {
  const read = readTask(readFileSync(join(PROJECT_DIR, taskFile), 'utf8'));
  if (!read.ok) throw new Error(`${taskFile} is not a task.`);
  const run = createRun({
    rapier: await startEngine(),
    seed: 1,
    productVersion: productVersion(),
    cameras: { kind: 'none' },
    startCapture: () => undefined,
    onAction: () => undefined,
    task: read.task,
  });
  play(run, plannerAgent(read.task));
  const proved = run.proof();
  run.runtime.dispose();
  if (!proved.ok) throw new Error(`${taskFile}: ${proved.reason}`);
  return proofText(proved.proof);
}
