import type { Settings } from './settings.ts';

const settingsOf = new WeakMap<object, Settings>();

/** Stores the settings of a new client where printing the client does not reach them. */
export function keepSettings(client: object, settings: Settings): void {
  settingsOf.set(client, settings);
}

/** Returns the settings of a client, including the key. @throws TypeError if the object is not a client */
export function internalSettings(client: object): Settings {
  const settings = settingsOf.get(client);
  if (!settings) throw new TypeError('This is not a Client.');
  return settings;
}
