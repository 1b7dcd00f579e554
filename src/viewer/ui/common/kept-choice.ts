/** A choice that this machine remembers from visit to visit, where storage is allowed. */
export interface KeptChoice<T extends string> {
  /** Returns the remembered choice, or the first one where there is none or it cannot be read. */
  read(storage: () => Pick<Storage, 'getItem'>): T;
  /** Remembers a choice for the next visit. A page that may store nothing uses it until it is closed. */
  write(choice: T, storage: () => Pick<Storage, 'setItem'>): void;
}

/** @param name the name in the storage @param choices the first is the default */
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
