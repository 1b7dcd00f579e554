/** Where a person's keys are meant for something other than the robot. */

/** Fields to type into. */
export const TAKES_TEXT =
  'input:not([type="range"], [type="checkbox"], [type="radio"], [type="button"]), textarea, select, [contenteditable="true"]';
/** What lies over the page for a while. */
export const OVERLAID = '[role="dialog"], [role="menu"], [role="listbox"], [role="alertdialog"]';

/** Is it, or does it stand in, one of these? */
export const within = (target: EventTarget | null, selector: string): boolean =>
  target instanceof Element && target.closest(selector) !== null;
