import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Plugin } from 'vite';

const FILE_NAME = 'third-party-notices.txt';
/** Texts by the licence's SPDX id, and by the package (`/` as `+`). */
const LICENCES_DIR = join(import.meta.dirname, 'licences');
const LICENCE_FILE = /^(?:licen[cs]e|copying|ofl|notice)(?:[.-]|$)/i;

/** A third-party package with code in the page. */
interface Package {
  name: string;
  version: string;
  licence: string;
  author: string;
  folder: string;
}

/**
 * Writes the notices of every package with a module in the page or its workers. Vite's own (`build.license`) ignores fonts, and
 * packages without a licence text.
 */
export function thirdPartyNotices(): Plugin {
  let root = '';
  return {
    name: 'simplesim-notices',
    apply: 'build',
    configResolved: (config) => {
      root = config.root;
    },
    generateBundle(_, bundle) {
      // Files that stylesheets name are not modules.
      const assets = Object.values(bundle).flatMap((file) => (file.type === 'asset' ? file.originalFileNames : []));
      const packages = new Map<string, Package>();
      for (const id of [...this.getModuleIds(), ...assets.map((name) => resolve(root, name))]) {
        const found = packageOf(id);
        if (found) packages.set(`${found.name}@${found.version}`, found);
      }
      this.emitFile({ type: 'asset', fileName: FILE_NAME, source: noticesText([...packages.values()]) });
    },
  };
}

/** Returns the notices as text, in order of name. @throws If a package has neither a licence text nor a known one for its name */
export function noticesText(packages: readonly Package[]): string {
  const sorted = [...packages].sort((a, b) => (a.name < b.name ? -1 : 1));
  const parts = sorted.map((one) => `${one.name} ${one.version} (${one.licence})\n\n${licenceText(one)}`);
  return `SimpleSim holds parts of these packages, each under the licence that follows it.\n\n${parts.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}

/** Returns the package of a module's file; null for the project's own files and for virtual modules. */
export function packageOf(id: string): Package | null {
  const path = id.replace(/^\0/, '').replace(/\?.*$/, '').replaceAll('\\', '/');
  const [, folder] = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path) ?? [];
  if (folder === undefined || !existsSync(join(folder, 'package.json'))) return null;
  const { name, version, license, author } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const authorName = typeof author === 'string' ? author.replace(/\s*[<(].*$/, '') : author?.name;
  return { name, version, licence: license ?? '', author: authorName ?? `the authors of ${name}`, folder };
}

/**
 * Returns the licence text in the package. If there is none, returns the texts of the licences that it names, with our copy of
 * the notice in its sources.
 */
function licenceText({ name, licence, author, folder }: Package): string {
  const files = readdirSync(folder).filter((file) => LICENCE_FILE.test(file));
  if (files.length > 0) return files.map((file) => readFileSync(join(folder, file), 'utf8').trim()).join('\n\n');
  const named = (licence.match(/[\w.-]+/g) ?? []).filter((word) => word !== 'AND').map(kept);
  const ofPackage = kept(name.replace('/', '+'));
  const texts = [...named, ofPackage].filter((text) => text !== null);
  const isComplete = ofPackage !== null || (named.length > 0 && !named.includes(null));
  if (isComplete) return [`Copyright (c) ${author}`, ...texts].join('\n\n');
  throw new Error(`The package ${name} (${licence}) contains no licence text. Add one to scripts/vite/licences.`);
}

function kept(name: string): string | null {
  const file = join(LICENCES_DIR, `${name}.txt`);
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : null;
}
