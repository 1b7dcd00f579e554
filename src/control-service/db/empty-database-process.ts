/**
 * Creates an empty database in memory, writes it as a tar archive to the given file, and exits. Creating it takes most of a
 * gigabyte, which a process keeps for its whole life. The process knows no folder, so it cannot damage one when its parent is
 * killed.
 */
import { writeFileSync } from 'node:fs';
import { PGlite } from '@electric-sql/pglite';
import { thrownCode, thrownText } from '../thrown.ts';
import { ARCHIVE_FD, type MakerTrouble } from './empty-database.ts';

try {
  const made = await PGlite.create();
  const archive = await made.dumpDataDir('none');
  writeFileSync(ARCHIVE_FD, Buffer.from(await archive.arrayBuffer()));
  process.exit(0);
} catch (error) {
  const trouble: MakerTrouble = { code: thrownCode(error), message: thrownText(error) };
  process.send?.(trouble, () => process.exit(1));
}
