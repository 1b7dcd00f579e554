import { TAKES_TEXT, within } from './elsewhere.ts';

/** The key code that browsers report for a key that an input method has taken. */
const TAKEN_BY_INPUT_METHOD = 229;

/**
 * Returns whether a key belongs to a text that an input method composes, in which Enter accepts a candidate and Escape drops it.
 * Outside text fields no key does, so the stop keys work whatever the input method reports.
 */
const isComposingKey = ({ isComposing, keyCode, target }: KeyboardEvent): boolean =>
  (isComposing || keyCode === TAKEN_BY_INPUT_METHOD) && within(target, TAKES_TEXT);

/**
 * Keeps such keys from every handler of the page. Call it before any other handler is added.
 * The input method still receives them. Key releases pass, because a key that drives may be among them.
 */
export function ignoreComposingKeys(page: EventTarget): void {
  page.addEventListener(
    'keydown',
    (event) => {
      if (isComposingKey(event as KeyboardEvent)) event.stopImmediatePropagation();
    },
    { capture: true },
  );
}
