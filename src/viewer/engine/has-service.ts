/**
 * Returns whether the page may reach a robot service. `npm run demo` marks its pages: a folder of files has none, and their policy
 * allows no room.
 */
// Tests draw components without a document.
export const hasService = (): boolean => globalThis.document?.documentElement.dataset.service !== 'none';

/** The answer to a room key at a page without a service. */
export const NO_SERVICE =
  'This page runs a robot in this tab alone, and opens no room key. Run `npm start` on your own machine, and open the link that it prints.';
