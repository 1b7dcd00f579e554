/** A choice that this machine remembers from visit to visit, where storage is allowed. */
export interface KeptChoice<T extends string> {
  /** What was chosen before; the first choice where nothing was, or nothing may be read. */
  read(storage: () => Pick<Storage, 'getItem'>): T;
  /** Remembers it for the next visit. A page that may keep nothing goes by it until it is closed. */
  write(choice: T, storage: () => Pick<Storage, 'setItem'>): void;
}

/** @param name as what it is kept @param choices the first is that of who has never chosen */
export function keptChoice<T extends string>(name: string, choices: readonly [T, ...T[]]): KeptChoice<T> {
  return {
    read(storage) {
      try {
        const kept = storage().getItem(name);
        return choices.find((choice) => choice === kept) ?? choices[0];
      } catch {
        return choices[0];
      }
    },
    write(choice, storage) {
      try {
        storage().setItem(name, choice);
      } catch {
        // Storage is forbidden, or full.
      }
    },
  };
}
