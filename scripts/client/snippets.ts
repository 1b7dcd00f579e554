/** Type-checks every TypeScript snippet of the documents, and the snippet that `npm start` prints, as a reader would write it. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { ROOT_DIR } from '../declarations.ts';

const DOCUMENTS = [
  'README.md',
  'CONTRIBUTING.md',
  'examples/README.md',
  ...['docs', 'docs/reference'].flatMap((folder) => readdirSync(join(ROOT_DIR, folder)).map((name) => `${folder}/${name}`)),
];
const START = 'src/launch/start-command.ts';
/** The names that a snippet may use without a declaration, because earlier snippets of the page declare them. */
const GIVEN: Record<string, string> = {
  client: "import('platform-robot-sdk').Client",
  session: "import('platform-robot-sdk').PlatformSession",
  robotId: 'string',
};

interface Snippet {
  /** File and line: `docs/libraries.md:12`. */
  where: string;
  code: string;
}

/**
 * Returns one sentence for each problem; an empty list if all snippets compile.
 * @param documents whose snippets are checked; paths from the root
 * @param name of the folder in `.cache` that keeps the snippets
 */
export function snippetProblems(documents: readonly string[] = DOCUMENTS, name = 'snippets'): string[] {
  const dir = join(ROOT_DIR, '.cache', name);
  const snippets = [...documents.filter((file) => file.endsWith('.md')).flatMap(fencedIn), printedByStart()];
  rmSync(dir, { recursive: true, force: true });
  mkdirSync(dir, { recursive: true });
  snippets.forEach(({ code }, index) => {
    writeFileSync(join(dir, `${index}.ts`), complete(code));
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
    join(dir, 'tsconfig.json'),
    JSON.stringify({ extends: '../../tsconfig.base.json', compilerOptions, include: ['*.ts'] }),
  );
  const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');
  try {
    execFileSync(process.execPath, [tsc, '-p', dir, '--pretty', 'false'], { cwd: dir, encoding: 'utf8' });
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

/** Returns the snippet as a complete module, for a folder one level deeper than the one for which it is written. */
function complete(code: string): string {
  const missing = Object.entries(GIVEN).filter(
    ([name]) =>
      new RegExp(`\\b${name}\\b`).test(code) &&
      !new RegExp(`\\b(?:const|let|using|async \\() ?${name}\\b|\\b${name}: `).test(code),
  );
  const given = missing.map(([name, type]) => `declare const ${name}: ${type};\n`).join('');
  return `${given}${code.replaceAll("'./src/", "'../../src/")}\nexport {};\n`;
}
