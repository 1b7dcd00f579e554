/**
 * Fails if a text of the repository has more expressions of `words/patterns.ts` than `words/allowed.json` allows for its file. A
 * new file may have none. A file may not be allowed more than it has, either:
 * `--write` puts the remaining counts into the list, if none is higher.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Allowed, countsOf, findingsIn, looseAllowances, problemsIn } from './words/findings.ts';

const ROOT_DIR = join(import.meta.dirname, '..');
const ALLOWED_FILE = join(import.meta.dirname, 'words/allowed.json');
/** Files whose texts are generated, are data, or list the expressions. */
const LEFT_OUT =
  /^(?:docs\/reference\/|docs\/README\.md|scripts\/words\/|tests\/docs\/words\.test\.ts$|.*\.generated\.|src\/protocol\/wire\/scene-titles\.ts)/;

const allowed: Allowed = existsSync(ALLOWED_FILE) ? JSON.parse(readFileSync(ALLOWED_FILE, 'utf8')) : {};
const files = execFileSync('git', ['ls-files', '-coz', '--exclude-standard'], { cwd: ROOT_DIR, encoding: 'utf8' })
  .split('\0')
  .filter((file) => /\.(?:tsx?|py|md)$/.test(file) && !LEFT_OUT.test(file) && existsSync(join(ROOT_DIR, file)));
const left: Record<string, Record<string, number>> = {};
const problems: string[] = [];
let total = 0;
for (const file of files.sort()) {
  const findings = findingsIn(file, readFileSync(join(ROOT_DIR, file), 'utf8'));
  problems.push(...problemsIn(file, findings, allowed));
  total += findings.length;
  if (findings.length > 0) left[file] = countsOf(findings);
}

const loose = looseAllowances(left, allowed);
if (problems.length > 0) {
  console.error(problems.join('\n'));
  console.error(`${problems.length} expressions with a plainer form. The rules are in CONTRIBUTING.md, "Words".`);
  process.exitCode = 1;
} else if (process.argv.includes('--write')) {
  writeFileSync(ALLOWED_FILE, `${JSON.stringify(left, null, 1)}\n`);
  console.log(`words: scripts/words/allowed.json has the ${total} expressions that are left`);
} else if (loose.length > 0) {
  console.error(loose.join('\n'));
  process.exitCode = 1;
} else console.log(`words: ${files.length} files, ${total} expressions left, and no more than allowed`);
