/** Where the built page has the documentation as plain pages. */
export const MANUAL_PATH = '/manual/';
