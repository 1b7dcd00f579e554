import { browserItems, type KeptItems } from '../../engine/browser-storage.ts';

/** A choice that this machine remembers between visits, if storage is allowed. */
export interface KeptChoice<T extends string> {
  /** Returns the remembered choice, or the first one if none is stored or it cannot be read. */
  read(items?: KeptItems): T;
  /** Remembers a choice for the next visit. A page without storage uses it until it is closed. */
  write(choice: T, items?: KeptItems): void;
}

/** Creates a choice. @param name the name in the storage @param choices the first is the default */
export function keptChoice<T extends string>(name: string, choices: readonly [T, ...T[]]): KeptChoice<T> {
  return {
    read(items = browserItems) {
      const kept = items.get(name);
      return choices.find((choice) => choice === kept) ?? choices[0];
    },
    write: (choice, items = browserItems) => void items.set(name, choice),
  };
}
