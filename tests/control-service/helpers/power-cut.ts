import fs, { type BigIntStats } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { basename, dirname, join } from 'node:path';

type Entry = { id: string; isFolder: boolean };

/**
 * A disk that loses everything without an fsync when the power is cut. It loses writes to a file without an fsync of the
 * file, names of files without an fsync of the file or its folder, and names of folders without an fsync of the folder
 * above. Harsher than any real disk.
 */
export class PowerCut {
  private readonly files = new Map<string, Buffer>();
  private readonly folders = new Map<string, Map<string, Entry>>();
  private readonly root: string;
  private readonly end: () => void;

  /** Starts to watch what this process does. @param root an empty folder that is on the disk */
  constructor(root: string) {
    this.root = root;
    this.take(root);
    const { openSync, fsyncSync } = fs;
    const { open } = fs.promises;
    const paths = new Map<number, string>();
    fs.openSync = (path, ...rest) => {
      const file = openSync(path, ...rest);
      paths.set(file, String(path));
      return file;
    };
    fs.fsyncSync = (file) => {
      fsyncSync(file);
      const path = paths.get(file);
      if (path === undefined) throw new Error('A file was opened by a way that this disk does not know.');
      this.take(path);
    };
    fs.promises.open = async (path, ...rest) => {
      const file = await open(path, ...rest);
      const sync = file.sync.bind(file);
      file.sync = async () => {
        await sync();
        this.take(String(path));
      };
      return file;
    };
    syncBuiltinESMExports();
    this.end = () => {
      Object.assign(fs, { openSync, fsyncSync });
      fs.promises.open = open;
      syncBuiltinESMExports();
    };
  }

  /** Writes the state that a power cut at this moment would leave into a new folder. */
  leave(target: string): void {
    fs.mkdirSync(target, { mode: 0o700 });
    this.leaveFolder(idOf(fs.statSync(this.root, { bigint: true })), target);
  }

  stop(): void {
    this.end();
  }

  private leaveFolder(id: string, target: string): void {
    for (const [name, entry] of this.folders.get(id) ?? []) {
      const path = join(target, name);
      if (entry.isFolder) {
        fs.mkdirSync(path, { mode: 0o700 });
        this.leaveFolder(entry.id, path);
      } else fs.writeFileSync(path, this.files.get(entry.id) ?? '', { mode: 0o600 });
    }
  }

  private take(path: string): void {
    const stat = fs.statSync(path, { bigint: true });
    if (stat.isDirectory()) this.folders.set(idOf(stat), entriesOf(path));
    else {
      this.files.set(idOf(stat), fs.readFileSync(path));
      const folder = idOf(fs.statSync(dirname(path), { bigint: true }));
      const names = this.folders.get(folder) ?? new Map<string, Entry>();
      this.folders.set(folder, names.set(basename(path), { id: idOf(stat), isFolder: false }));
    }
  }
}

/** File descriptors are used again. */
const idOf = ({ ino, birthtimeNs }: BigIntStats): string => `${ino}:${birthtimeNs}`;

function entriesOf(folder: string): Map<string, Entry> {
  return new Map(
    fs.readdirSync(folder).map((name) => {
      const stat = fs.statSync(join(folder, name), { bigint: true });
      return [name, { id: idOf(stat), isFolder: stat.isDirectory() }];
    }),
  );
}
