import type { Theme } from './settings.ts';

const LIGHT = '(prefers-color-scheme: light)';

/**
 * Has the page dark or light whatever the system prefers: the rules for light are switched on or off in every style sheet, those that
 * come later too.
 */
export function keepTheme(page: Document, theme: Theme): void {
  const apply = () => {
    for (const sheet of page.styleSheets) switchRules(sheet, theme);
  };
  apply();
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes)
      for (const node of addedNodes) {
        if (node instanceof HTMLLinkElement) node.addEventListener('load', apply, { once: true });
        else if (node instanceof HTMLStyleElement) apply();
      }
  }).observe(page.head, { childList: true });
}

function switchRules(sheet: CSSStyleSheet, theme: Theme): void {
  for (const rule of sheet.cssRules) {
    if (rule instanceof CSSMediaRule && rule.media.mediaText === LIGHT)
      rule.media.mediaText = theme === 'light' ? 'all' : 'not all';
    else if (rule instanceof CSSImportRule && rule.styleSheet) switchRules(rule.styleSheet, theme);
  }
}
