/** The page elements in which a person's keys are not meant for the robot. */

/** Text fields. */
export const TAKES_TEXT =
  'input:not([type="range"], [type="checkbox"], [type="radio"], [type="button"]), textarea, select, [contenteditable="true"]';
/** Elements that cover the page temporarily. */
export const OVERLAID = '[role="dialog"], [role="menu"], [role="listbox"], [role="alertdialog"]';

/** Returns whether an element matches the selector, or is inside one that does. */
export const within = (target: EventTarget | null, selector: string): boolean =>
  target instanceof Element && target.closest(selector) !== null;
