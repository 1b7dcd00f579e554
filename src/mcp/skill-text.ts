import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The address of the skill, of the form that the protocol's extension for skills uses. */
export const SKILL_URI = 'skill://simplesim/SKILL.md';

const ROOT_DIR = join(import.meta.dirname, '../..');
/** In the package, and in a clone. */
const FOLDERS = ['skills', 'plugins/simplesim/skills'];

/** Returns the text that teaches an agent to use the tools. */
export function skillText(): string {
  const files = FOLDERS.map((folder) => join(ROOT_DIR, folder, 'simplesim/SKILL.md'));
  const file = files.find((each) => existsSync(each));
  if (file === undefined) throw new Error('The installation has no skills/simplesim/SKILL.md. Install the program again.');
  return readFileSync(file, 'utf8');
}
