/** The plugin and the bundle for agent clients: each manifest starts a server that works without the clone. */
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { strFromU8, unzipSync } from 'fflate';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { pluginFiles, readProduct, registryEntry, registryName } from '../../scripts/package/agent-manifests.ts';
import { buildAgentPlugin } from '../../scripts/package/build-agent-plugin.ts';
import { ensureBuilt } from '../../scripts/package/build-simplesim.ts';
import { TOOLS } from '../../src/agent-tools/catalogue.ts';
import { askAndMove } from './ask-and-move.ts';

const BARE_ENV = { PATH: dirname(process.execPath), HOME: process.env.HOME };
const PRODUCT = readProduct();
const folder = mkdtempSync(join(tmpdir(), 'simplesim-agents-'));
const marketplace = join(folder, 'marketplace');
/** Clients copy the plugin into a folder of their own. */
const installed = join(folder, 'installed');
let bundle = '';

interface Server {
  command: string;
  args: string[];
  cwd?: string;
}
const readJson = (file: string) => JSON.parse(readFileSync(file, 'utf8'));
const serverOf = (file: string): Server => readJson(join(installed, file)).mcpServers.simplesim;

beforeAll(async () => {
  await ensureBuilt(() => {});
  const built = buildAgentPlugin(marketplace);
  bundle = built.bundle;
  cpSync(built.pluginDir, installed, { recursive: true });
}, 300_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('both marketplaces name a folder that contains the manifest of the plugin', () => {
  const claude = readJson(join(marketplace, '.claude-plugin/marketplace.json')).plugins[0];
  const codex = readJson(join(marketplace, '.agents/plugins/marketplace.json')).plugins[0];
  expect([claude.name, codex.name]).toEqual(['simplesim', 'simplesim']);
  expect(existsSync(join(marketplace, claude.source, '.claude-plugin/plugin.json'))).toBe(true);
  const manifest = readJson(join(marketplace, codex.source.path, '.codex-plugin/plugin.json'));
  for (const path of [manifest.skills, manifest.mcpServers])
    expect([path, existsSync(join(marketplace, codex.source.path, path))]).toEqual([path, true]);
});

it('every manifest has the version of package.json', () => {
  const manifests = Object.entries(pluginFiles(PRODUCT)).filter(([, content]) => 'version' in content);
  expect(manifests).toHaveLength(3);
  for (const [name, content] of manifests)
    expect([name, content]).toEqual([name, expect.objectContaining({ version: PRODUCT.version })]);
});

it('the skill has a name and a description, and names only tools that exist', () => {
  const text = readFileSync(join(installed, 'skills/simplesim/SKILL.md'), 'utf8');
  expect(text).toMatch(/^---\nname: simplesim\ndescription: [\s\S]+?\n---\n/);
  const known = new Set(TOOLS.map(({ name }) => name));
  const named = [...text.matchAll(/`([a-z]+_[a-z_]+)`/g)].map(([, name = '']) => name);
  expect(named.filter((name) => !known.has(name) && name !== 'action_id')).toEqual([]);
});

it('the server of the Claude Code plugin works in an empty folder', async () => {
  const { command, args } = serverOf('.mcp.json');
  const started = args.map((arg) => arg.replace(`\${CLAUDE_PLUGIN_ROOT}`, installed));
  await askAndMove(command, started, mkdtempSync(join(folder, 'user-')), BARE_ENV);
}, 60_000);

it('the server of the Codex plugin works without variables, from the folder of the plugin', async () => {
  const { command, args, cwd = '' } = serverOf('codex-mcp.json');
  expect(args.join(' ')).not.toContain('$');
  await askAndMove(command, args, join(installed, cwd), BARE_ENV);
}, 60_000);

it('the bundle contains the files of the plugin, and its manifest starts one of them', () => {
  const entries = unzipSync(readFileSync(bundle));
  const { server, tools, version } = JSON.parse(strFromU8(entries['manifest.json'] ?? new Uint8Array()));
  expect(server.mcp_config.args[0]).toBe(`\${__dirname}/${server.entry_point}`);
  expect(Object.keys(entries)).toContain(server.entry_point);
  expect([version, tools.length]).toEqual([PRODUCT.version, TOOLS.length]);
  expect(statSync(bundle).size).toBeLessThan(9_000_000);
});

it('the same files make the same bundle', () => {
  const again = buildAgentPlugin(join(folder, 'again')).bundle;
  expect(readFileSync(again).equals(readFileSync(bundle))).toBe(true);
}, 120_000);

it('the registry entry belongs to the owner of the repository, and exists only with one', () => {
  const repository = { url: 'git+https://github.com/someone/simplesim.git' };
  expect([
    registryName({ ...PRODUCT, repository: 'https://example.org/r.git' }),
    registryEntry({ ...PRODUCT, repository: '' }),
  ]).toEqual([null, null]);
  expect(registryEntry({ ...PRODUCT, repository })).toMatchObject({
    name: 'io.github.someone/simplesim',
    version: PRODUCT.version,
    packages: [{ registryType: 'npm', identifier: 'simplesim', version: PRODUCT.version, transport: { type: 'stdio' } }],
  });
});
