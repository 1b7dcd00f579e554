import type { Theme } from '../theme.ts';
import type { PanelTab, ViewKind } from '../ui/common/ui-store.ts';

/** What a host may have done by message. Reading is always allowed. */
export const GRANTS = ['call', 'stop', 'view'] as const;
export type Grant = (typeof GRANTS)[number];

/** Panels a frame can show. */
export const EMBED_PANELS = ['skills', 'actions', 'scene', 'state', 'cameras', 'drive'] as const;
export type EmbedPanel = (typeof EMBED_PANELS)[number];

/** How this page stands in another one, as the address of its frame says. */
export interface EmbedSettings {
  /** The robot runs in the frame alone, without a key: none is ever taken. */
  tryHere: boolean;
  /** Origins whose messages count; nobody else gets an answer. */
  origins: readonly string[];
  allow: ReadonlySet<Grant>;
  panels: ReadonlySet<EmbedPanel>;
  theme: Exclude<Theme, 'system'> | null;
  view: ViewKind;
}

const VIEWS: readonly ViewKind[] = ['orbit', 'top', 'head'];

/** Reads `?embed=1&…`; null for a page that stands for itself. Words it does not know count as not written. */
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

/** A whole origin and nothing else; `null`, which every sandboxed page has, is nobody's name. */
function isOrigin(text: string): boolean {
  try {
    return /^https?:/.test(text) && new URL(text).origin === text;
  } catch {
    return false;
  }
}

/** Tabs of the side panel among the panels of a frame. */
export const sideTabs = ({ panels }: EmbedSettings): readonly PanelTab[] =>
  EMBED_PANELS.filter((panel) => panels.has(panel)).filter((panel) => panel !== 'drive' && panel !== 'cameras');
