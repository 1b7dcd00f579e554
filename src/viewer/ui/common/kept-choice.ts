import { browserItems, type KeptItems } from '../../engine/browser-storage.ts';

/** A choice that this machine remembers from visit to visit, where storage is allowed. */
export interface KeptChoice<T extends string> {
  /** Returns the remembered choice, or the first one where there is none or it cannot be read. */
  read(items?: KeptItems): T;
  /** Remembers a choice for the next visit. A page that may store nothing uses it until it is closed. */
  write(choice: T, items?: KeptItems): void;
}

/** @param name the name in the storage @param choices the first is the default */
export function keptChoice<T extends string>(name: string, choices: readonly [T, ...T[]]): KeptChoice<T> {
  return {
    read(items = browserItems) {
      const kept = items.get(name);
      return choices.find((choice) => choice === kept) ?? choices[0];
    },
    write: (choice, items = browserItems) => void items.set(name, choice),
  };
}
