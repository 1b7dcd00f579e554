/** The address of the documentation as plain pages in the built page. */
export const MANUAL_PATH = '/manual/';
