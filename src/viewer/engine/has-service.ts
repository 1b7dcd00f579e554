/**
 * Returns whether the page may reach a robot service. `npm run demo` marks its pages: a plain folder of files has no service, and
 * the pages' security policy allows no room.
 */
// Tests render components without a document.
export const hasService = (): boolean => globalThis.document?.documentElement.dataset.service !== 'none';

/** The reply to a room key on a page without a service. */
export const NO_SERVICE =
  'This page runs a robot in this tab alone, and accepts no room key. Run `npm start` on your own machine, and open the link that it prints.';
