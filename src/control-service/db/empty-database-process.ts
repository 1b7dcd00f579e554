/**
 * Makes an empty database in memory, writes it as a tar archive to the file that it is given, and ends. Its maker needs most of a
 * gigabyte, which a process keeps as long as it lives. It knows no folder: when its parent is killed it can disturb nobody's.
 */
import { writeFileSync } from 'node:fs';
import { PGlite } from '@electric-sql/pglite';
import { ARCHIVE_FD } from './empty-database.ts';

const made = await PGlite.create();
const archive = await made.dumpDataDir('none');
writeFileSync(ARCHIVE_FD, Buffer.from(await archive.arrayBuffer()));
process.exit(0);
