/** Where the product is installed, and what follows from it for its files. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** The clone, or the folder of the installed package. `src/` and `compiled/` are equally deep. */
export const PROJECT_DIR = resolve(import.meta.dirname, '../..');

/** Whether the product runs from a clone. A package has no sources: it includes the built page, and it is not a place for data. */
export const IS_CLONE = existsSync(join(PROJECT_DIR, 'src'));

/** The words of helps for the place of the data folder. */
export const DATA_DIR_DEFAULT = `.simplesim in ${IS_CLONE ? 'the clone' : 'the current folder'}`;
