/** The manifests by which agent clients install the robot's tools. Names and versions come from `package.json`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { TOOLS } from '../../src/agent-tools/catalogue.ts';
import { ROOT_DIR } from '../declarations.ts';

/** The folder of the plugin in its marketplace, and the name of both. */
export const PLUGIN_NAME = 'simplesim';
/** The folder of the package in the plugin. */
export const SERVER_DIR = 'server';

const TITLE = 'SimpleSim robot';
const DESCRIPTION = 'A simulated robot that your agent drives: it walks, picks and places, and reports what it measured.';
const AUTHOR = { name: 'SimpleSim' };
const PROGRAM = `${SERVER_DIR}/bin/simplesim.mjs`;

/** The fields of `package.json` that the manifests share. */
export interface ProductFacts {
  version: string;
  license: string;
  engines: { node: string };
  repository?: string | { url: string };
}

export const readProduct = (): ProductFacts => JSON.parse(readFileSync(join(ROOT_DIR, 'package.json'), 'utf8'));

const oneServer = (server: object) => ({ mcpServers: { [PLUGIN_NAME]: server } });

/** Returns the files of the marketplace and its one plugin, apart from the skill and the server, by their path. */
export function pluginFiles(product: ProductFacts): Record<string, object> {
  const { version, license } = product;
  const plugin = { name: PLUGIN_NAME, version, description: DESCRIPTION, author: AUTHOR, license };
  return {
    '.claude-plugin/marketplace.json': {
      name: PLUGIN_NAME,
      owner: AUTHOR,
      plugins: [{ name: PLUGIN_NAME, source: `./${PLUGIN_NAME}`, description: DESCRIPTION }],
    },
    '.agents/plugins/marketplace.json': {
      name: PLUGIN_NAME,
      interface: { displayName: TITLE },
      plugins: [
        {
          name: PLUGIN_NAME,
          source: { source: 'local', path: `./${PLUGIN_NAME}` },
          policy: { installation: 'AVAILABLE', authentication: 'ON_INSTALL' },
          category: 'Productivity',
        },
      ],
    },
    [`${PLUGIN_NAME}/.claude-plugin/plugin.json`]: plugin,
    // Claude Code replaces the variable, and starts the server in the user's folder.
    [`${PLUGIN_NAME}/.mcp.json`]: oneServer({ command: 'node', args: [`\${CLAUDE_PLUGIN_ROOT}/${PROGRAM}`, 'mcp'] }),
    [`${PLUGIN_NAME}/.codex-plugin/plugin.json`]: { ...plugin, skills: './skills/', mcpServers: './codex-mcp.json' },
    // Codex replaces no variable, but resolves `cwd` from the folder of the plugin.
    [`${PLUGIN_NAME}/codex-mcp.json`]: oneServer({ command: 'node', args: [PROGRAM, 'mcp'], cwd: '.' }),
    [`${PLUGIN_NAME}/manifest.json`]: bundleManifest(product),
  };
}

/** Returns the manifest of the `.mcpb` bundle (https://github.com/modelcontextprotocol/mcpb, version 0.3). */
function bundleManifest({ version, license, engines }: ProductFacts): object {
  return {
    manifest_version: '0.3',
    name: PLUGIN_NAME,
    display_name: TITLE,
    version,
    description: DESCRIPTION,
    author: AUTHOR,
    license,
    server: {
      type: 'node',
      entry_point: PROGRAM,
      mcp_config: { command: 'node', args: [`\${__dirname}/${PROGRAM}`, 'mcp'], env: {} },
    },
    tools: TOOLS.map(({ name, title }) => ({ name, description: title })),
    compatibility: { platforms: ['darwin', 'linux', 'win32'], runtimes: { node: engines.node } },
  };
}

/**
 * Returns the name in the MCP registry, which must be in the namespace of the repository's owner; null while `package.json` names
 * no repository on GitHub.
 */
export function registryName({ repository }: ProductFacts): string | null {
  const address = typeof repository === 'string' ? repository : repository?.url;
  const [, owner] = /github(?:\.com[/:]|:)([\w-]+)\//.exec(address ?? '') ?? [];
  return owner === undefined ? null : `io.github.${owner}/${PLUGIN_NAME}`;
}

/** Returns the entry for the MCP registry (schema of 2025-12-11); null while the product has no name there. */
export function registryEntry(product: ProductFacts): object | null {
  const name = registryName(product);
  if (name === null) return null;
  const { version } = product;
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    name,
    title: TITLE,
    description: DESCRIPTION,
    version,
    packages: [
      {
        registryType: 'npm',
        identifier: 'simplesim',
        version,
        runtimeHint: 'npx',
        transport: { type: 'stdio' },
        packageArguments: [{ type: 'positional', value: 'mcp' }],
      },
    ],
  };
}
