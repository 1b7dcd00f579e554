/** The page elements where a person's keys are not meant for the robot. */

/** Fields to type into. */
export const TAKES_TEXT =
  'input:not([type="range"], [type="checkbox"], [type="radio"], [type="button"]), textarea, select, [contenteditable="true"]';
/** Elements that lie over the page for a while. */
export const OVERLAID = '[role="dialog"], [role="menu"], [role="listbox"], [role="alertdialog"]';

/** Tells whether an element is one of these, or inside one. */
export const within = (target: EventTarget | null, selector: string): boolean =>
  target instanceof Element && target.closest(selector) !== null;
