import type { Theme } from '../ui/common/theme.ts';
import type { PanelTab, ViewKind } from '../ui/common/ui-store.ts';

/** The permissions that a host's messages may have. Reading is always allowed. */
const GRANTS = ['call', 'stop', 'view'] as const;
export type Grant = (typeof GRANTS)[number];

/** Panels that a frame can show. */
const EMBED_PANELS = ['skills', 'actions', 'scene', 'state', 'cameras', 'drive'] as const;
export type EmbedPanel = (typeof EMBED_PANELS)[number];

/** The settings of this page inside another one, from the address of its frame. */
export interface EmbedSettings {
  /** The robot runs only in the frame, without a key; no key is ever accepted. */
  tryHere: boolean;
  /** Origins whose messages are accepted. All others get no reply. */
  origins: readonly string[];
  allow: ReadonlySet<Grant>;
  panels: ReadonlySet<EmbedPanel>;
  theme: Exclude<Theme, 'system'> | null;
  view: ViewKind;
}

const VIEWS: readonly ViewKind[] = ['orbit', 'top', 'head'];

/** Reads `?embed=1&…`; null for a page that is not embedded. Unknown parameters are ignored. */
export function readEmbedSettings(href: string): EmbedSettings | null {
  const query = new URL(href).searchParams;
  if (query.get('embed') !== '1') return null;
  const list = (name: string): string[] => query.getAll(name).flatMap((value) => value.split(/[\s,]+/).filter(Boolean));
  const known = <T extends string>(words: readonly T[], name: string): ReadonlySet<T> =>
    new Set(words.filter((word) => list(name).includes(word)));
  const one = <T extends string>(words: readonly T[], name: string): T | null =>
    words.find((word) => word === query.get(name)) ?? null;
  return {
    tryHere: query.get('try') === '1',
    origins: [...new Set(list('origin').filter(isOrigin))],
    allow: known(GRANTS, 'allow'),
    panels: known(EMBED_PANELS, 'panels'),
    theme: one(['dark', 'light'], 'theme'),
    view: one(VIEWS, 'view') ?? 'orbit',
  };
}

/** Returns whether a text is exactly an origin. `null`, the origin of every sandboxed page, identifies no page. */
function isOrigin(text: string): boolean {
  try {
    return /^https?:/.test(text) && new URL(text).origin === text;
  } catch {
    return false;
  }
}

/**
 * Returns the tabs of the side panel among a frame's panels. @param isNarrow whether the cameras are a tab too, because there is
 * no space beside the world
 */
export const sideTabs = ({ panels }: EmbedSettings, isNarrow: boolean): readonly PanelTab[] =>
  EMBED_PANELS.filter((panel) => panels.has(panel))
    .filter((panel) => panel !== 'drive')
    .filter((panel) => isNarrow || panel !== 'cameras');
