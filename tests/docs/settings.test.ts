/** The page of the settings names the environment variables that the code reads, and no others. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { AGENT_SETTINGS, SETTINGS } from '../../scripts/docs/settings.ts';
import { settingsPage } from '../../scripts/docs/settings-page.ts';

const ROOT = join(import.meta.dirname, '../..');
const NAME = '(?:(?:SIMPLESIM|PLATFORM|LIVEKIT|RCW)_[A-Z_]*[A-Z]|DATABASE_URL)';
/** The forms in which the code reads a variable. */
const READS = [
  // env.NAME, process.env.NAME
  new RegExp(`\\benv\\.(${NAME})\\b`, 'g'),
  // { NAME: local } of an environment, and of defaults that another variable replaces
  new RegExp(`(?<!const )\\b(${NAME}): \\w+`, 'g'),
  // A name in a string, for env[name] and env.get(name)
  new RegExp(`['"](${NAME})['"]`, 'g'),
  // ${NAME} of compose.yaml, {$NAME} of the Caddyfile
  /\$\{?(PLATFORM_HOST|SFU_HOST|NODE_IP|SIMPLESIM_[A-Z_]+)\b/g,
];
/** Names that the code writes, removes or logs, and never reads. */
const NOT_READ = new Set([
  // How eval recognises the processes of an agent.
  'SIMPLESIM_RUN',
  // `eval` sets it for an agent that is an MCP client.
  'SIMPLESIM_MCP_CONFIG',
  // `npm start` passes it to its LiveKit server.
  'LIVEKIT_CONFIG',
]);

const readText = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

function namesReadIn(file: string): string[] {
  // Comments and sentences name variables too, without reading them.
  const code = readText(file).replaceAll(/^\s*(?:\/\/|\*|\/\*).*$/gm, '');
  return READS.flatMap((pattern) => [...code.matchAll(pattern)].map(([, name = '']) => name));
}

describe('the page of the settings', () => {
  it('lists every variable that the code of the product reads', () => {
    const files = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' }).flatMap((file) =>
      /\.tsx?$/.test(file) ? join('src', file) : [],
    );
    const known = new Set([...SETTINGS.map(({ name }) => name), ...Object.keys(AGENT_SETTINGS), ...NOT_READ]);
    const missing = files.flatMap((file) => namesReadIn(file).flatMap((name) => (known.has(name) ? [] : `${name} in ${file}`)));
    expect(files.length).toBeGreaterThan(500);
    expect(missing).toEqual([]);
  });

  it.each(SETTINGS.map((setting) => [setting.name, setting] as const))('names files that read %s', (name, { files }) => {
    expect(files.filter((file) => !namesReadIn(file).includes(name))).toEqual([]);
  });

  it('lists what eval sets for an agent', () => {
    const [, set = ''] =
      /function settingsOf\([\s\S]*?return \{([\s\S]*?)\n {2}\};/.exec(readText('src/launch/eval/room-run.ts')) ?? [];
    expect([...set.matchAll(/^ {4}([A-Z_]+)(?::|,)/gm)].map(([, name]) => name)).toEqual(Object.keys(AGENT_SETTINGS));
  });

  it('lists each variable once, with a meaning, a default and a reader', () => {
    const names = SETTINGS.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const { meaning, default: standard, readers } of SETTINGS) {
      expect(meaning).toMatch(/\w/);
      expect(standard).toMatch(/\w/);
      expect(readers.length).toBeGreaterThan(0);
    }
    expect(settingsPage()).toContain('| `SIMPLESIM_ACCOUNT_ROBOTS` | Robots of one account, 1 to 1,000,000 | 1,000 |');
  });
});
