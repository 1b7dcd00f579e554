/** The place where the product is installed, and the places of its files that follow from it. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** The clone, or the folder of the installed package. `src/` and `compiled/` are at the same depth. */
export const PROJECT_DIR = resolve(import.meta.dirname, '../..');

/** Whether the product runs from a clone. A package has no sources: it includes the built page, and must not contain data. */
export const IS_CLONE = existsSync(join(PROJECT_DIR, 'src'));

/** The help texts for the place of the data folder. */
export const DATA_DIR_DEFAULT = `.simplesim in ${IS_CLONE ? 'the clone' : 'the current folder'}`;
