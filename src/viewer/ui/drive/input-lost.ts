import { OVERLAID, TAKES_TEXT, within } from '../common/elsewhere.ts';

/** Elements in which the arrow keys have another effect. */
export const USES_ARROWS = `${TAKES_TEXT}, input, [data-stick], [role="tablist"], [role="slider"], [role="radiogroup"], [role="tree"], [role="grid"]`;

/**
 * Reports when the page loses the keys: another window, a hidden tab, a text field, a menu or a dialog.
 * @param onAway called with a clause on why, without an end: "The page lost the keyboard"
 * @returns a function that stops watching
 */
export function watchInputLost(onAway: (why: string) => void): () => void {
  const onBlur = () => onAway('The page lost the keyboard');
  const onVisibility = () => {
    if (document.visibilityState === 'hidden') onAway('This page was out of view');
  };
  const onFocus = ({ target }: FocusEvent) => {
    if (within(target, OVERLAID)) onAway('A menu or dialog opened');
    else if (within(target, TAKES_TEXT)) onAway('The keyboard writes into a field now');
  };
  window.addEventListener('blur', onBlur);
  window.addEventListener('pagehide', onBlur);
  document.addEventListener('visibilitychange', onVisibility);
  document.addEventListener('freeze', onBlur);
  document.addEventListener('focusin', onFocus);
  return () => {
    window.removeEventListener('blur', onBlur);
    window.removeEventListener('pagehide', onBlur);
    document.removeEventListener('visibilitychange', onVisibility);
    document.removeEventListener('freeze', onBlur);
    document.removeEventListener('focusin', onFocus);
  };
}
