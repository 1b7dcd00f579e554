import { keptChoice } from './kept-choice.ts';

/** Follows the system, or always dark or light. */
export const THEMES = ['system', 'dark', 'light'] as const;
export type Theme = (typeof THEMES)[number];

const LIGHT = '(prefers-color-scheme: light)';
/** The event on the page after a person changed its theme. */
export const THEME_CHANGED = 'simplesim-theme';

/** The rules for the light theme. They are found once by their condition, which then changes. */
const lightRules = new WeakSet<CSSMediaRule>();
const watched = new WeakMap<Document, Theme>();

/**
 * Makes the page dark or light. The rules for light are switched on, switched off, or left to the system in every style sheet,
 * including later ones.
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

/** The theme chosen earlier on this machine, and the function that stores another. */
export const { read: storedTheme, write: storeTheme } = keptChoice('simplesim.theme', THEMES);

function switchRules(sheet: CSSStyleSheet, theme: Theme): void {
  for (const rule of sheet.cssRules) {
    if (rule instanceof CSSMediaRule && (rule.media.mediaText === LIGHT || lightRules.has(rule))) {
      lightRules.add(rule);
      rule.media.mediaText = { system: LIGHT, light: 'all', dark: 'not all' }[theme];
    } else if (rule instanceof CSSImportRule && rule.styleSheet) switchRules(rule.styleSheet, theme);
  }
}
