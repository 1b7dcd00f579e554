let loads = 0;
let before: string | undefined;

/**
 * Loads a package that logs its debugging to the standard output unless NODE_ENV is "production" while it loads. Loads may
 * overlap, and the library and the worker may share a process: the first load remembers the value of NODE_ENV, and the last load
 * restores it.
 * @param env the environment of the process
 * @throws what `load` throws
 */
export async function loadQuietly<T>(env: Record<string, string | undefined>, load: () => Promise<T>): Promise<T> {
  if (loads === 0) before = env.NODE_ENV;
  loads += 1;
  env.NODE_ENV = 'production';
  try {
    return await load();
  } finally {
    loads -= 1;
    if (loads === 0) giveBack(env);
  }
}

function giveBack(env: Record<string, string | undefined>): void {
  if (before === undefined) delete env.NODE_ENV;
  else env.NODE_ENV = before;
}
