/** The page of an account's robots. */
export const ROBOTS_PATH = '/robots';
/** The address at which the platform of a machine exchanges a one-time code for a key, for that page alone. */
export const ROBOTS_OPEN_PATH = '/robots/open';
/** How long an unused code is valid. */
export const OPEN_CODE_LIFE_MS = 10 * 60_000;

/** Returns whether a path is that of the page, under any of its names. */
export const isRobotsPage = (path: string): boolean => /^\/robots(?:\/|\.html)?$/.test(path);
