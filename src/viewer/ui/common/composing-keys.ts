import { TAKES_TEXT, within } from './elsewhere.ts';

/** What browsers report as the key code of a key that an input method has taken. */
const TAKEN_BY_INPUT_METHOD = 229;

/**
 * Tells whether a key is part of a text that an input method composes, where Enter takes a candidate and Escape drops it. Outside of
 * fields of text no key is: a stop is pressed whatever an input method says.
 */
const isComposingKey = ({ isComposing, keyCode, target }: KeyboardEvent): boolean =>
  (isComposing || keyCode === TAKEN_BY_INPUT_METHOD) && within(target, TAKES_TEXT);

/**
 * Keeps such keys from every handler of the page. Call it before any other handler is added.
 *
 * The input method has them all the same; releases pass, because a key that drives may be among them.
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
