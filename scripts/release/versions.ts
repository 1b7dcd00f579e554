/** The versions that a release states in four files, and the conditions that block a release. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { VERSION } from '../../src/client/index.ts';
import { ROOT_DIR } from '../declarations.ts';

export interface StatedVersions {
  simplesim: string;
  /** Of the library in TypeScript. */
  typescript: string;
  /** Of the library in Python. */
  python: string;
  /** The heading of the changelog's newest section, e.g. `0.1.0, unreleased`. */
  changelog: string;
  /** The address of the repository; null if `package.json` does not contain it. */
  repository: string | null;
}

/** The state of the clone. */
export interface CloneState {
  /** The tag of this release. */
  tag: string;
  /** The output of `git status --porcelain`. */
  changedFiles: string;
  knownTags: readonly string[];
}

const read = (path: string): string => readFileSync(join(ROOT_DIR, path), 'utf8');
const found = (path: string, pattern: RegExp): string => pattern.exec(read(path))?.[1] ?? '';

/** Reads the versions from the files that state them. */
export function statedVersions(): StatedVersions {
  const { version, repository } = JSON.parse(read('package.json')) as { version: string; repository?: { url: string } };
  return {
    simplesim: version,
    typescript: VERSION,
    python: found('clients/python/src/platform_robot_sdk/_version.py', /^__version__ = "(.+)"$/m),
    changelog: found('CHANGELOG.md', /^## (.+)$/m),
    repository: repository?.url ?? null,
  };
}

/**
 * Returns the errors, which also fail a rehearsal, and the open tasks before the release, which a rehearsal lists. Each is a
 * sentence.
 */
export function releaseProblems(versions: StatedVersions, clone: CloneState): { problems: string[]; before: string[] } {
  const { simplesim, typescript, python, changelog, repository } = versions;
  const [section] = changelog.split(',');
  const tag = `v${simplesim}`;
  const problems = [
    typescript !== python &&
      `platform-robot-sdk has the version ${typescript} in src/client/index.ts and ${python} in clients/python/src/platform_robot_sdk/_version.py. Set both to the same version.`,
    section !== simplesim &&
      `CHANGELOG.md begins with ${changelog}, and package.json has the version ${simplesim}. Make them agree.`,
    clone.tag !== tag && `The tag ${clone.tag} is not that of the version ${simplesim}. Name it ${tag}.`,
  ];
  const before = [
    changelog !== simplesim && `In CHANGELOG.md, replace “${changelog}” with “${simplesim}”.`,
    repository === null &&
      'In package.json, set “repository” to the address of the repository: npm checks the provenance against it.',
    clone.changedFiles !== '' && 'Commit or remove the changed files.',
    clone.knownTags.includes(tag) && `The tag ${tag} exists. Raise the version in package.json.`,
  ];
  const sentences = (list: readonly (string | false)[]): string[] => list.filter((one) => one !== false);
  return { problems: sentences(problems), before: sentences(before) };
}
