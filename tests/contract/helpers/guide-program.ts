import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { RuntimeState } from '../../../src/protocol/state.ts';

const ROOT = join(import.meta.dirname, '../../..');
const GUIDE = join(ROOT, 'docs/from-simulator-to-robot.md');

/** The program of the guide, to the letter. */
export function guideProgram(): string {
  const [, program] = /```ts\n([\s\S]*?)```/.exec(readFileSync(GUIDE, 'utf8')) ?? [];
  if (program === undefined) throw new Error('The guide prints no program.');
  return program;
}

/** Runs the program of the guide as a reader would: in a folder of its own, with the client library in it, for this robot. */
export async function runGuideProgram(
  robotId: string,
  platform: { rcsUrl: string; apiKey: string },
): Promise<{ exitCode: number | null; printed: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'guide-program-'));
  const library = join(folder, 'node_modules/platform-robot-sdk');
  mkdirSync(library, { recursive: true });
  writeFileSync(join(library, 'package.json'), '{"name":"platform-robot-sdk","type":"module","exports":"./index.js"}');
  writeFileSync(
    join(library, 'index.js'),
    `export * from ${JSON.stringify(pathToFileURL(join(ROOT, 'src/client/index.ts')).href)};`,
  );
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  writeFileSync(join(folder, 'drive.ts'), guideProgram());
  try {
    const loader = pathToFileURL(join(ROOT, 'node_modules/tsx/dist/loader.mjs')).href;
    // LiveKit's library prints more where it takes itself for under test.
    const { NODE_ENV: _env, ...env } = process.env;
    const child = spawn(process.execPath, ['--import', loader, join(folder, 'drive.ts'), robotId], {
      cwd: folder,
      env: { ...env, PLATFORM_RCS_URL: platform.rcsUrl, PLATFORM_API_KEY: platform.apiKey },
    });
    let printed = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (printed += chunk));
    const exitCode = await new Promise<number | null>((resolve) => child.once('close', resolve));
    return { exitCode, printed };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The robot as somebody else in the room sees it while the program runs. */
export interface Watched {
  /** Farthest from where it stood, metres. */
  farthestM: number;
  /** Does a velocity hold, by the last state that could be read? */
  heldLast: boolean;
}

/** Reads the state again and again until the program has ended, and once after it. @param read rejects when the robot is gone */
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
