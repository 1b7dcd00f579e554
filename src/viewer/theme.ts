import { keptChoice } from './kept-choice.ts';

/** Dark or light as the system is, or one of them always. */
export const THEMES = ['system', 'dark', 'light'] as const;
export type Theme = (typeof THEMES)[number];

const LIGHT = '(prefers-color-scheme: light)';
/** Told on the page when its theme was changed by hand. */
export const THEME_CHANGED = 'simplesim-theme';

/** The rules for light, which are found by their condition once and then bear another one. */
const lightRules = new WeakSet<CSSMediaRule>();
const watched = new WeakMap<Document, Theme>();

/**
 * Has the page dark or light: the rules for light are switched on, off, or left to the system in every style sheet, those that come
 * later too.
 */
export function setTheme(page: Document, theme: Theme): void {
  const isWatched = watched.has(page);
  watched.set(page, theme);
  const apply = () => {
    for (const sheet of page.styleSheets) switchRules(sheet, watched.get(page) ?? 'system');
  };
  apply();
  page.dispatchEvent(new Event(THEME_CHANGED));
  if (isWatched) return;
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes)
      for (const node of addedNodes) {
        if (node instanceof HTMLLinkElement) node.addEventListener('load', apply, { once: true });
        else if (node instanceof HTMLStyleElement) apply();
      }
  }).observe(page.head, { childList: true });
}

/** The theme chosen on this machine before, and how to remember another. */
export const { read: storedTheme, write: storeTheme } = keptChoice('simplesim.theme', THEMES);

function switchRules(sheet: CSSStyleSheet, theme: Theme): void {
  for (const rule of sheet.cssRules) {
    if (rule instanceof CSSMediaRule && (rule.media.mediaText === LIGHT || lightRules.has(rule))) {
      lightRules.add(rule);
      rule.media.mediaText = { system: LIGHT, light: 'all', dark: 'not all' }[theme];
    } else if (rule instanceof CSSImportRule && rule.styleSheet) switchRules(rule.styleSheet, theme);
  }
}
