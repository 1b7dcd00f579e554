import { fsyncSync } from 'node:fs';
import { NodeFS } from '@electric-sql/pglite/nodefs';

type Prepare = Parameters<NodeFS['init']>[1];
type Prepared = Awaited<ReturnType<NodeFS['init']>>;

type SetAttributes = (of: unknown, attributes: { mode?: number }) => unknown;

/** The part of Emscripten's file system on disk that this module replaces. */
interface DiskFiles {
  tryFSOperation<T>(operation: () => T): T;
  stream_ops: { fsync?: (stream: { nfd: number }) => number; setattr: SetAttributes };
  node_ops: { mknod(parent: unknown, name: string, mode: number, dev: unknown): unknown; setattr: SetAttributes };
}

/** Permission bits of all users except the owner. */
const OTHERS = 0o077;
/** Disk errors that no program can fix. */
const TROUBLES = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EPERM', 'EIO', 'EMFILE', 'ENFILE']);

/**
 * A folder of PGlite's whose data is on the disk whenever PostgreSQL asks for it; PGlite itself omits fsync. Only the owner can
 * read the files. Errors are remembered, because PGlite does not report them.
 */
export class DurableFiles extends NodeFS {
  /** The first error of the disk itself, such as ENOSPC. */
  diskTrouble: NodeJS.ErrnoException | null = null;
  /** The last error that PostgreSQL reported as fatal. */
  lastFatal: string | null = null;

  override async init(pg: Parameters<NodeFS['init']>[0], options: Prepare): Promise<Prepared> {
    const { emscriptenOpts } = await super.init(pg, options);
    return {
      emscriptenOpts: {
        ...emscriptenOpts,
        printErr: (line: string) => {
          this.lastFatal = /\b(?:FATAL|PANIC):\s+(.*)/.exec(line)?.[1] ?? this.lastFatal;
        },
        preRun: [...(emscriptenOpts.preRun ?? []), (module: { NODEFS: DiskFiles }) => this.improve(module.NODEFS)],
      } as Prepare,
    };
  }

  private improve(disk: DiskFiles): void {
    const tryOperation = disk.tryFSOperation;
    disk.tryFSOperation = (operation) =>
      tryOperation(() => {
        try {
          return operation();
        } catch (error) {
          const { code } = error as NodeJS.ErrnoException;
          if (code !== undefined && TROUBLES.has(code)) this.diskTrouble ??= error as NodeJS.ErrnoException;
          throw error;
        }
      });
    disk.stream_ops.fsync = ({ nfd }) => {
      disk.tryFSOperation(() => fsyncSync(nfd));
      return 0;
    };
    const { mknod } = disk.node_ops;
    disk.node_ops.mknod = (parent, name, mode, dev) => mknod(parent, name, mode & ~OTHERS, dev);
    for (const operations of [disk.node_ops, disk.stream_ops]) {
      const { setattr } = operations;
      operations.setattr = (of, attributes) =>
        setattr(of, attributes.mode === undefined ? attributes : { ...attributes, mode: attributes.mode & ~OTHERS });
    }
  }
}
