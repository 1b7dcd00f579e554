/**
 * Makes an empty database in memory, writes it as a tar archive to its channel and ends. Its maker needs most of a gigabyte, which a
 * process keeps as long as it lives. It touches no file, so whoever kills it, or its parent, leaves nothing behind.
 */
import { createWriteStream } from 'node:fs';
import { PGlite } from '@electric-sql/pglite';
import { ARCHIVE_FD } from './empty-database.ts';

const made = await PGlite.create();
const archive = await made.dumpDataDir('none');
createWriteStream('', { fd: ARCHIVE_FD }).end(Buffer.from(await archive.arrayBuffer()), () => process.exit(0));
