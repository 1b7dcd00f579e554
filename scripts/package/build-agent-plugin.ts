/** Builds what agent clients install: a marketplace with one plugin that contains its server, and an `.mcpb` bundle of the same. */
import { cpSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Zippable, zipSync } from 'fflate';
import { ROOT_DIR } from '../declarations.ts';
import { PLUGIN_NAME, pluginFiles, readProduct, registryEntry, SERVER_DIR } from './agent-manifests.ts';
import { buildSimplesim, filesOf } from './build-simplesim.ts';

/** The dependencies of the package that the tools load. The others belong to rooms and to the control service. */
const LIBRARIES = ['@dimforge/rapier3d-compat', 'zod'];
/** Sources, declarations, and modules for `require`. */
const NOT_LOADED = /\.(?:map|[cm]?ts|cjs)$|\/zod\/src\//;
/** All entries have this time, so that the same files make the same archive. */
const ZIP_TIME = new Date(1980, 0, 1);
const EXECUTABLE = 0o755;
const PLAIN = 0o644;

/** Builds the marketplace into a folder. Needs what `ensureBuilt` leaves. @returns the paths of the plugin and of the bundle */
export function buildAgentPlugin(outDir: string): { pluginDir: string; bundle: string } {
  rmSync(outDir, { recursive: true, force: true });
  const product = readProduct();
  const pluginDir = join(outDir, PLUGIN_NAME);
  buildSimplesim(join(pluginDir, SERVER_DIR));
  for (const library of LIBRARIES) {
    const from = join(ROOT_DIR, 'node_modules', library);
    const filter = (file: string): boolean => !NOT_LOADED.test(file.replaceAll('\\', '/'));
    cpSync(from, join(pluginDir, SERVER_DIR, 'node_modules', library), { recursive: true, filter });
  }
  cpSync(join(ROOT_DIR, 'plugins', PLUGIN_NAME), pluginDir, { recursive: true });
  const registry = registryEntry(product);
  const files = { ...pluginFiles(product), ...(registry ? { 'server.json': registry } : {}) };
  for (const [name, content] of Object.entries(files)) {
    const file = join(outDir, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `${JSON.stringify(content, null, 2)}\n`);
  }
  const bundle = join(outDir, `${PLUGIN_NAME}-${product.version}.mcpb`);
  writeFileSync(bundle, zipped(pluginDir));
  return { pluginDir, bundle };
}

function zipped(dir: string): Uint8Array {
  const entries: Zippable = {};
  for (const file of filesOf(dir)) {
    const mode = (statSync(file).mode & 0o100) === 0 ? PLAIN : EXECUTABLE;
    const name = file.slice(dir.length + 1).replaceAll('\\', '/');
    entries[name] = [readFileSync(file), { level: 9, mtime: ZIP_TIME, os: 3, attrs: mode << 16 }];
  }
  return zipSync(entries);
}
