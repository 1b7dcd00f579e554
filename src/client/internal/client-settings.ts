import type { Settings } from './settings.ts';

const settingsOf = new WeakMap<object, Settings>();

/** Remembers the settings of a new client, where nothing that prints the client finds them. */
export function keepSettings(client: object, settings: Settings): void {
  settingsOf.set(client, settings);
}

/** Returns the settings of a client, the key included. @throws TypeError for anything that is no client */
export function internalSettings(client: object): Settings {
  const settings = settingsOf.get(client);
  if (!settings) throw new TypeError('This is not a Client.');
  return settings;
}
