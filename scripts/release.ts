/**
 * `npm run release -- --dry-run` rehearses a release: checks that the versions agree, builds the packages, and has npm and PyPI's
 * own checker judge them. Without `--dry-run` it also creates the tag; pushing the tag publishes
 * (`.github/workflows/release.yml`). Publishes nothing itself.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT_DIR } from './declarations.ts';
import { NEWEST_LIVEKIT, pythonWith } from './ensure-python.ts';
import { releaseProblems, statedVersions } from './release/versions.ts';

const { values } = parseArgs({ options: { 'dry-run': { type: 'boolean' }, tag: { type: 'string' } } });
const isRehearsal = values['dry-run'] ?? false;
const git = (...args: string[]): string => execFileSync('git', args, { cwd: ROOT_DIR, encoding: 'utf8' }).trim();
const run = (command: string, args: string[], cwd = ROOT_DIR): void =>
  void execFileSync(command, args, { cwd, stdio: ['ignore', 'inherit', 'inherit'] });

const versions = statedVersions();
const tag = `v${versions.simplesim}`;
const { problems, before } = releaseProblems(versions, {
  tag: values.tag ?? tag,
  changedFiles: git('status', '--porcelain'),
  // The workflow rehearses an existing tag.
  knownTags: values.tag === undefined ? git('tag', '--list').split('\n') : [],
});
console.log(`simplesim ${versions.simplesim}, platform-robot-sdk ${versions.typescript} (npm) and ${versions.python} (PyPI)`);
if (problems.length > 0) {
  console.error(problems.join('\n'));
  process.exit(1);
}
if (before.length > 0) {
  console.error(`To do before the release:\n${before.map((line) => `- ${line}`).join('\n')}`);
  if (!isRehearsal) process.exit(1);
}

run('npm', ['run', '--silent', 'package']);
const packagesDir = join(ROOT_DIR, '.cache/packages');
const files = readdirSync(packagesDir);
for (const file of files.filter((name) => name.endsWith('.tgz')))
  run('npm', ['publish', '--dry-run', '--access', 'public', `./${file}`, '--loglevel', 'warn'], packagesDir);
const python = pythonWith(NEWEST_LIVEKIT, (line) => console.log(line));
const archives = files.filter((name) => /\.(?:whl|tar\.gz)$/.test(name));
run(python, ['-m', 'twine', '--no-color', 'check', '--strict', ...archives], packagesDir);

if (isRehearsal) {
  console.log(`The release ${tag} is rehearsed. Nothing is tagged or published.`);
} else {
  git('tag', '--annotate', tag, '--message', `SimpleSim ${versions.simplesim}`);
  console.log(`The tag ${tag} is made. Publish: git push origin main ${tag}`);
}
