import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { NEWEST_LIVEKIT, pythonWith } from '../../../scripts/ensure-python.ts';
import type { RuntimeState } from '../../../src/protocol/wire/state.ts';

const ROOT = join(import.meta.dirname, '../../..');
const GUIDE = join(ROOT, 'docs/physical-robot.md');

/** The languages in which docs/physical-robot.md has its first program. */
export const LANGUAGES = ['ts', 'python'] as const;
type Language = (typeof LANGUAGES)[number];

/** The first program of docs/physical-robot.md, verbatim. */
function guideProgram(language: Language): string {
  const [, program] = new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``).exec(readFileSync(GUIDE, 'utf8')) ?? [];
  if (program === undefined) throw new Error(`docs/physical-robot.md has no program in ${language}.`);
  return program;
}

interface Ended {
  exitCode: number | null;
  printed: string;
}

/** Runs the program of the guide as a reader would: in a folder of its own, with the client library, for this robot. */
export async function runGuideProgram(
  robotId: string,
  { rcsUrl, apiKey }: { rcsUrl: string; apiKey: string },
  language: Language = 'ts',
): Promise<Ended> {
  const folder = mkdtempSync(join(tmpdir(), 'guide-program-'));
  try {
    const [program = '', ...args] = language === 'ts' ? layTypeScript(folder) : layPython(folder);
    // LiveKit's library prints more if it detects a test environment.
    const { NODE_ENV: _env, ...env } = process.env;
    const child = spawn(program, [...args, robotId], {
      cwd: folder,
      env: { ...env, PLATFORM_RCS_URL: rcsUrl, PLATFORM_API_KEY: apiKey },
    });
    let printed = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (printed += chunk));
    const exitCode = await new Promise<number | null>((resolve) => child.once('close', resolve));
    return { exitCode, printed };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Writes the program and its library into a folder. @returns the command that runs it */
function layTypeScript(folder: string): string[] {
  const library = join(folder, 'node_modules/platform-robot-sdk');
  mkdirSync(library, { recursive: true });
  writeFileSync(join(library, 'package.json'), '{"name":"platform-robot-sdk","type":"module","exports":"./index.js"}');
  writeFileSync(
    join(library, 'index.js'),
    `export * from ${JSON.stringify(pathToFileURL(join(ROOT, 'src/client/index.ts')).href)};`,
  );
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  writeFileSync(join(folder, 'drive.ts'), guideProgram('ts'));
  const loader = pathToFileURL(join(ROOT, 'node_modules/tsx/dist/loader.mjs')).href;
  return [process.execPath, '--import', loader, join(folder, 'drive.ts')];
}

/** Writes the program into a folder. @returns the command that runs it, by a Python that has the library */
function layPython(folder: string): string[] {
  writeFileSync(join(folder, 'drive.py'), guideProgram('python'));
  return [pythonWith(NEWEST_LIVEKIT, () => {}), join(folder, 'drive.py')];
}

/** The robot as another participant in the room sees it while the program runs. */
export interface Watched {
  /** Maximum distance from its starting place, metres. */
  farthestM: number;
  /** Whether a velocity was active in the last state that could be read. */
  heldLast: boolean;
}

/** Reads the state repeatedly until the program has ended, and once after it. @param read rejects when the robot is gone */
export async function watchRobot(read: () => Promise<RuntimeState>, program: Promise<unknown>): Promise<Watched> {
  let hasEnded = false;
  const noteEnd = (): void => {
    hasEnded = true;
  };
  program.then(noteEnd, noteEnd);
  const start = (await read()).robot.pose.position;
  const watched: Watched = { farthestM: 0, heldLast: false };
  for (;;) {
    const isLast = hasEnded;
    const state = await read().catch(() => null);
    if (state === null) return watched;
    const [x = 0, y = 0] = state.robot.pose.position;
    watched.farthestM = Math.max(watched.farthestM, Math.hypot(x - (start[0] ?? 0), y - (start[1] ?? 0)));
    watched.heldLast = state.robot.extra.control?.velocity_holds ?? false;
    if (isLast) return watched;
    // A flood of reads would make the robot's steps late.
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
}
