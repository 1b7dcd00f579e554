/** Type-checks every TypeScript snippet of the documents, and the one that `npm start` prints, as a reader would write it. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { ROOT_DIR } from '../declarations.ts';

const DOCUMENTS = [
  'README.md',
  'CONTRIBUTING.md',
  'examples/README.md',
  ...readdirSync(join(ROOT_DIR, 'docs')).map((name) => `docs/${name}`),
];
const START = 'src/launch/start-command.ts';
const DIR = join(ROOT_DIR, '.cache/snippets');
/** The things that a snippet may use without making them: the page made them further up. */
const GIVEN: Record<string, string> = {
  client: "import('platform-robot-sdk').Client",
  session: "import('platform-robot-sdk').PlatformSession",
  robotId: 'string',
};

interface Snippet {
  /** Where it stands: `docs/client.md:12`. */
  where: string;
  code: string;
}

/** One sentence for each problem; none when all snippets compile. */
export function snippetProblems(): string[] {
  const snippets = [...DOCUMENTS.filter((name) => name.endsWith('.md')).flatMap(fencedIn), printedByStart()];
  rmSync(DIR, { recursive: true, force: true });
  mkdirSync(DIR, { recursive: true });
  snippets.forEach(({ code }, index) => {
    writeFileSync(join(DIR, `${index}.ts`), complete(code));
  });
  const compilerOptions = {
    paths: {
      'platform-robot-sdk': ['../../src/client/index.ts'],
      'platform-robot-sdk/*': ['../../src/client/*.ts'],
    },
    lib: ['es2023', 'esnext.disposable'],
    types: ['node'],
    noEmit: true,
    composite: false,
    incremental: false,
    emitDeclarationOnly: false,
    declaration: false,
    noUnusedLocals: false,
  };
  writeFileSync(
    join(DIR, 'tsconfig.json'),
    JSON.stringify({ extends: '../../tsconfig.base.json', compilerOptions, include: ['*.ts'] }),
  );
  const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');
  try {
    execFileSync(process.execPath, [tsc, '-p', DIR, '--pretty', 'false'], { cwd: DIR, encoding: 'utf8' });
    return [];
  } catch (error) {
    const { stdout } = error as { stdout: string };
    return stdout
      .trim()
      .split('\n')
      .map((line) =>
        line.replace(/^(\d+)\.ts\(\d+,\d+\): error/, (_, index: string) => `The snippet at ${snippets[Number(index)]?.where}:`),
      );
  }
}

function fencedIn(document: string): Snippet[] {
  const text = readFileSync(join(ROOT_DIR, document), 'utf8');
  return [...text.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map((found) => ({
    where: `${document}:${text.slice(0, found.index).split('\n').length}`,
    code: found[1] ?? '',
  }));
}

function printedByStart(): Snippet {
  const code = /<<'EOF'\n([\s\S]*?)\nEOF\n/.exec(readFileSync(join(ROOT_DIR, START), 'utf8'))?.[1];
  if (code === undefined) throw new Error(`${START} prints no snippet between <<'EOF' and EOF.`);
  return { where: START, code };
}

/** The snippet as a module that stands by itself, one folder deeper than it is written for. */
function complete(code: string): string {
  const missing = Object.entries(GIVEN).filter(
    ([name]) =>
      new RegExp(`\\b${name}\\b`).test(code) &&
      !new RegExp(`\\b(?:const|let|using|async \\() ?${name}\\b|\\b${name}: `).test(code),
  );
  const given = missing.map(([name, type]) => `declare const ${name}: ${type};\n`).join('');
  return `${given}${code.replaceAll("'./src/", "'../../src/")}\nexport {};\n`;
}
