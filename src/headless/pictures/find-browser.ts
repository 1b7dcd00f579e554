/** Where a Chrome or Chromium is, and how one is started that draws. */
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { NO_BROWSER_FOR_PICTURES } from '../../protocol/texts/headless-texts.ts';

/** The names of a browser in the folders of PATH, the leanest first. */
const COMMANDS = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome', 'microsoft-edge'];

const IN_PROGRAM_FILES = [
  ['Google', 'Chrome', 'Application', 'chrome.exe'],
  ['Chromium', 'Application', 'chrome.exe'],
  ['Microsoft', 'Edge', 'Application', 'msedge.exe'],
];

const ON_A_MAC = ['Google Chrome', 'Chromium', 'Microsoft Edge'];

/** The arguments of a Chromium without a graphics card, a desktop or the internet. */
export const BROWSER_ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--enable-unsafe-swiftshader',
];

/** The part of the machine that determines the paths of programs. */
export interface Machine {
  platform: NodeJS.Platform;
  env: Readonly<Record<string, string | undefined>>;
  isExecutable(path: string): boolean;
}

const THIS_MACHINE: Machine = { platform: process.platform, env: process.env, isExecutable };

/** Whether this file is there and may be run. */
export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Returns the path of the browser named by `SIMPLESIM_CHROMIUM`, or of one that is installed; null when there is none. A browser that is
 * named and is not there is none: no other is taken in its place.
 */
export function findBrowser({ platform, env, isExecutable }: Machine = THIS_MACHINE): string | null {
  const named = env.SIMPLESIM_CHROMIUM;
  if (named) return isExecutable(named) ? named : null;
  return installedAt(platform, env).find(isExecutable) ?? null;
}

/** Before anything is begun with pictures. @throws Error with what to do when there is no browser */
export function requireBrowser(): void {
  if (findBrowser() === null) throw new Error(NO_BROWSER_FOR_PICTURES);
}

function installedAt(platform: NodeJS.Platform, env: Machine['env']): string[] {
  if (platform === 'win32') {
    const roots = [env.PROGRAMFILES, env['PROGRAMFILES(X86)'], env.LOCALAPPDATA].filter((root) => root !== undefined);
    return IN_PROGRAM_FILES.flatMap((path) => roots.map((root) => join(root, ...path)));
  }
  const onPath = (env.PATH ?? '').split(delimiter).filter((dir) => dir !== '');
  const commands = COMMANDS.flatMap((name) => [...new Set(['/usr/bin', ...onPath])].map((dir) => join(dir, name)));
  return platform === 'darwin'
    ? [...ON_A_MAC.map((name) => `/Applications/${name}.app/Contents/MacOS/${name}`), ...commands]
    : commands;
}
